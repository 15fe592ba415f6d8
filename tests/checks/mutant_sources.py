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
can notice. Functions are found by the layout that clang-format gives them: the
braces of a body stand alone in the first column."""

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

# first and last are the numbers of the lines of the braces
Function = collections.namedtuple(
    'Function', 'start first last name returns arguments')
Mutant = collections.namedtuple('Mutant', 'file function line before after')

DECLARED = 'extern int veu_mutant;\nextern unsigned char *veu_reached;\n'


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


def choose(files, count, seed):
    """@count mutants of lines of @files, a dictionary of lines by names."""
    places = collections.defaultdict(list)
    for file, lines in files.items():
        for mutant in mutants_of(file, lines):
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


def with_mutants(lines, mutants):
    """The text of a source with @mutants, a dictionary by their numbers."""
    by_function = collections.defaultdict(list)
    for number, mutant in sorted(mutants.items()):
        by_function[mutant.function.start].append(number)
    text, at = [DECLARED.replace('\n', ' ')], 0
    for start, numbers in sorted(by_function.items()):
        function = mutants[numbers[0]].function
        text += lines[at:start] + [prototype(lines, function)]
        for number in numbers:
            text += broken_function(lines, mutants[number], number)
        text += sound_function(lines, function, numbers)
        at = function.last + 1
    return '\n'.join(text + lines[at:])
