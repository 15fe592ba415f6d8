# SPDX-License-Identifier: GPL-2.0-or-later
"""Chooses places of C sources to break, and writes sources that have the sound
functions and the broken ones, of which an environment variable chooses one.

A function of which M mutants are wanted becomes M + 1 functions: the sound one
begins with calls of the others,

    veu_reached[8] = 1;
    if (veu_mutant == 8) {
        return is_aligned__8(address, bytes);
    }

so that one build has all mutants, and one run of a test shows which of them it
can notice. A table of which a row is broken is followed by a second one, which
is copied over it before main(): each program with that table reaches it.

Functions and tables are found by the layout that clang-format gives them: the
braces of a body stand alone in the first column, and those of a table at the
end of a line and in front of the semicolon."""

import collections
import random
import re

# what is changed, to what; each match of a line is a mutant
CHANGES = [
    (r' < ', ' <= '), (r' <= ', ' < '), (r' > ', ' >= '), (r' >= ', ' > '),
    (r' == ', ' != '), (r' != ', ' == '),
    (r' && ', ' || '), (r' \|\| ', ' && '),
    (r' \+ ', ' - '), (r' - ', ' + '), (r' % ', ' / '),
    (r' & ', ' | '), (r' \| ', ' & '), (r' << ', ' >> '), (r' >> ', ' << '),
    (r'\bMIN\(', 'MAX('), (r'\bMAX\(', 'MIN('),
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'),
    (r'\bif \((.*)\) \{$', r'if (!(\1)) {'),
    (r'\bif \((.*)\) \{$', r'if (false) {'),
    (r'(?<![\w.])(0|[1-9]\d*)(?![\w.])', lambda m: str(int(m[1]) + 1)),
    # a call or an assignment that is gone
    (r'^    +(?!return\b|goto\b|break\b|continue\b)[\w*][^={}"]*\(.*\);$', ';'),
    (r'^    +[\w>.\[\]*-]+ [-+|&^]?= .*;$', ';'),
    (r'\+\+;$', ';'), (r'--;$', ';'),
]

# what is changed in a row of a table, besides values of other rows
ROW_CHANGES = [
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'),
    (r'(?<![\w.])(0x[0-9a-f]+|0|[1-9]\d*)(?![\w.])',
     lambda m: str(int(m[1], 0) + 1)),
    # a flag that is gone
    (r' \| \w+(\(\w+\))?', ''), (r'\b\w+(\(\w+\))? \| ', ''),
]

# first and last are the numbers of the lines of the braces
Function = collections.namedtuple(
    'Function', 'start first last name returns arguments')
Table = collections.namedtuple('Table', 'start first last name')
# its function, or its table
Mutant = collections.namedtuple('Mutant', 'file function line before after')

DECLARED = 'extern int veu_mutant;\nextern unsigned char *veu_reached;\n' \
    'extern void veu_break(int mutant, const void *to, const void *from, ' \
    'unsigned long bytes);\n'


def read(path):
    with open(path, encoding='utf-8') as source:
        return source.read().split('\n')


def arguments_of(text):
    """The names of parameters; None: not of a kind that can be passed on."""
    if text.strip() == 'void':
        return []
    depth, parts = 0, ['']
    for char in text:
        depth += (char == '(') - (char == ')')
        if char == ',' and not depth:
            parts.append('')
        else:
            parts[-1] += char
    names = [re.search(r'\(\*(\w+)\)\(|(\w+)(\[[^\]]*\])*$', part.strip())
             for part in parts]
    return None if '...' in text or not all(names) else \
        [name[1] or name[2] for name in names]


def function_of(lines, start, first, last):
    """What the lines @start to @first - 1 declare."""
    text = ' '.join(line.strip() for line in lines[start:first])
    end = text.rfind(')')
    depth, at = 1, end
    while at > 0 and depth:
        at -= 1
        depth += (text[at] == ')') - (text[at] == '(')
    name = re.search(r'(\w+)$', text[:at])
    arguments = arguments_of(text[at + 1:end])
    if not name or arguments is None or end != len(text) - 1 or \
            name[1] == '__attribute__':
        return None
    returns = not re.search(r'\bvoid $', text[:name.start()])
    return Function(start, first, last, name[1], returns, arguments)


def functions_of(lines):
    first = None
    for number, line in enumerate(lines):
        if line == '{':
            first = number
        elif line == '}' and first is not None:
            start = first
            while start > 0 and lines[start - 1] and \
                    not re.match(r'[ /]\*|#|.*[;}/]$', lines[start - 1]):
                start -= 1
            function = function_of(lines, start, first, number)
            if function and start < first:
                yield function
            first = None


def tables_of(lines):
    start = None
    for number, line in enumerate(lines):
        head = re.match(r'(?:[a-z].*?|\} )(?:\(\*const )?\b(\w+)(\[[^\]]*\])*'
                        r'(?:\)\(.*\))? = \{$', line)
        if head:
            start = number
            name = head[1]
        elif line == '};' and start is not None:
            yield Table(start, start, number, name)
            start = None
        elif line == '}':
            start = None


def without_strings(line):
    return re.sub(r'"[^"]*"', lambda m: '"' * len(m[0]), line)


def values_of(line):
    """(key, start, end) of each value in a row: the name of its member, or what
    the row begins with, a macro or a brace, and which one it is there."""
    text = without_strings(line)
    for match in re.finditer(r'\.(\w+) = ([\w.]+)', text):
        yield match[1], match.start(2), match.end(2)
    head = re.match(r' +(?:\[\w+\] = )?(\w+\(|\{ |(?=\w))', text)
    if head:
        at = head.end()
        for number, word in enumerate(text[at:].rstrip('), };').split(',')):
            if re.fullmatch(r' ?[&\w.]+', word):
                blanks = len(word) - len(word.lstrip())
                yield (head[1], number), at + blanks, at + len(word)
            at += len(word) + 1


def row_mutants_of(file, lines):
    for table in tables_of(lines):
        rows = range(table.first + 1, table.last)
        others = collections.defaultdict(set)
        for number in rows:
            for key, start, end in values_of(lines[number]):
                others[key].add(lines[number][start:end])
        for number in rows:
            line = lines[number]
            text = without_strings(line)
            if line.lstrip().startswith(('#', '*', '/*')):
                continue
            afters = [line[:start] + other + line[end:]
                      for key, start, end in values_of(line)
                      for other in sorted(others[key])]
            afters += [line[:match.start()] +
                       (change if isinstance(change, str) else change(match)) +
                       line[match.end():]
                       for pattern, change in ROW_CHANGES
                       for match in re.finditer(pattern, text)
                       if '[' not in text[:match.start()].split('=')[0]]
            for after in afters:
                if after != line:
                    yield Mutant(file, table, number, line, after)


def is_code(line):
    return '"' not in line and not line.endswith('\\') and \
        not line.lstrip().startswith(('#', '//', '*', '/*')) and \
        'static const' not in line


def mutants_of(file, lines):
    for function in functions_of(lines):
        for number in range(function.first + 1, function.last):
            line = lines[number]
            for pattern, replacement in CHANGES if is_code(line) else []:
                for match in re.finditer(pattern, line):
                    after = match.expand(replacement) if \
                        isinstance(replacement, str) else replacement(match)
                    yield Mutant(file, function, number, line,
                                 line[:match.start()] + after +
                                 line[match.end():])


def choose(files, count, seed, kind):
    """@count mutants of lines of @files, a dictionary of lines by names."""
    places = collections.defaultdict(list)
    for file, lines in files.items():
        for mutant in kind(file, lines):
            places[file, mutant.line].append(mutant)
    chosen = random.Random(seed)
    order = sorted(places)
    chosen.shuffle(order)
    return [chosen.choice(places[place]) for place in order[:count]]


def broken_function(lines, mutant, number):
    function = mutant.function
    head = '\n'.join(lines[function.start:function.first])
    # the last: a type may have the same name
    at = [m.start() for m in
          re.finditer(r'\b%s(?=\()' % function.name, head)][-1]
    head = re.sub(r'^extern ', '', head[:at]) + \
        '%s__%d' % (function.name, number) + \
        head[at + len(function.name):]
    if not re.search(r'\bstatic\b|^[A-Z_0-9]+ ', head):
        head = 'static ' + head
    body = list(lines[function.first:function.last + 1])
    body[mutant.line - function.first] = mutant.after
    return [head] + body


def sound_function(lines, function, numbers):
    call = ', '.join(function.arguments)
    body = ['    veu_reached[%d] = 1;' % numbers[0]]
    for number in numbers:
        body.append('    if (veu_mutant == %d) { %s%s__%d(%s); %s}' % (
            number, 'return ' if function.returns else '', function.name,
            number, call, '' if function.returns else 'return; '))
    head = lines[function.start:function.first]
    return head + ['{'] + body + lines[function.first + 1:function.last + 1]


def prototype(lines, function):
    return ' '.join(lines[function.start:function.first]) + ';'


def functions_with(lines, function, numbers, mutants):
    text = [prototype(lines, function)]
    for number in numbers:
        text += broken_function(lines, mutants[number], number)
    return text + sound_function(lines, function, numbers)


def broken_table(lines, mutant, number):
    table = mutant.function
    name = '%s__%d' % (table.name, number)
    rows = lines[table.first + 1:table.last]
    rows[mutant.line - table.first - 1] = mutant.after
    return ['static const __typeof__(%s) %s = {' % (table.name, name), *rows,
            '};', 'static void __attribute__((constructor)) break_%s(void)' %
            name, '{', '    veu_break(%d, &%s, &%s, sizeof(%s));' %
            (number, table.name, name, name), '}']


def tables_with(lines, table, numbers, mutants):
    # not constant: the compiler would compute with what it knows
    text = [lines[table.first].replace('static const ', 'static ')]
    text += lines[table.first + 1:table.last + 1]
    for number in numbers:
        text += broken_table(lines, mutants[number], number)
    return text


def with_mutants(lines, mutants):
    """The text of a source with @mutants, a dictionary by their numbers."""
    by_place = collections.defaultdict(list)
    for number, mutant in sorted(mutants.items()):
        by_place[mutant.function.start].append(number)
    text, at = [DECLARED.replace('\n', ' ')], 0
    for start, numbers in sorted(by_place.items()):
        place = mutants[numbers[0]].function
        write = tables_with if isinstance(place, Table) else functions_with
        text += lines[at:start] + write(lines, place, numbers, mutants)
        at = place.last + 1
    return '\n'.join(text + lines[at:])
