# SPDX-License-Identifier: GPL-2.0-or-later
"""The call graph that GCC writes beside each object (-fcallgraph-info=su)."""

import glob
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

# An edge: the callee, or the member or table that a pointer comes from
Call = namedtuple('Call', 'name member')


class Function:
    def __init__(self, key, file):
        self.key = key
        self.name = key.split(':')[-1].split('.')[0]
        self.file = file  # that it is in
        self.stack_bytes = None
        self.is_bounded = True
        self.calls = []

    def __repr__(self):
        return self.name


@lru_cache(None)
def lines_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read().splitlines()


def member_of(path, line, column):
    """Returns the text before "(" in a call through a pointer: "host->map"."""
    text = lines_of(path)[line - 1][column - 1:]
    found = re.match(r'[^(]*?((?:\w+->|\.)?\w+)(?:\[[^(]*\])?\('
                     r'(?:\)(->\w+)\()?', text)
    return found and (found[2] or found[1])


def dependencies(build_dir):
    """{object: the files that it was compiled from}, as ninja knows them"""
    text = subprocess.run(['ninja', '-C', build_dir, '-t', 'deps'], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for block in text.split('\n\n'):
        lines = [line.strip() for line in block.splitlines()
                 if not line.startswith('ninja: ')]
        if lines:
            found[lines[0].split(':')[0]] = lines[1:]
    return found


def is_old(build_dir, graph, sources):
    if not os.path.exists(graph):
        return True
    time = os.path.getmtime(graph)
    return any(os.path.getmtime(os.path.join(build_dir, source)) > time
               for source in sources)


def write_graph(build_dir, command, graph):
    """Compiles once more, past ccache, for the graph alone: without debugging
    information, and as text that is not assembled, which takes a fifth less."""
    words = [word for word in shlex.split(command)
             if os.path.basename(word) != 'ccache']
    with tempfile.TemporaryDirectory(dir=os.path.dirname(graph)) as work_dir:
        to = os.path.join(work_dir, 'x.s')
        words[words.index('-c')] = '-S'
        words[words.index('-o') + 1] = to
        words[words.index('-MF') + 1] = os.path.join(work_dir, 'x.d')
        subprocess.run(words + ['-g0'], cwd=build_dir, check=True)
        os.replace(to[:-1] + 'ci', graph)


def write_missing(build_dir, objects):
    """Compiles again: ccache keeps objects, but not what GCC writes beside
    them."""
    sources = dependencies(build_dir)
    with open(os.path.join(build_dir, 'compile_commands.json'),
              encoding='utf-8') as file:
        commands = {row['output']: row['command'] for row in json.load(file)}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(write_graph, build_dir,
                            commands[os.path.relpath(path, build_dir)],
                            os.path.abspath(path[:-1] + 'ci'))
                for path in objects
                if is_old(build_dir, path[:-1] + 'ci',
                          sources[os.path.relpath(path, build_dir)])]
        for job in jobs:
            job.result()


def read_graph(objects):
    """{key: Function} of all that is defined; externals are only called."""
    functions = {}
    for path in objects:
        with open(path[:-1] + 'ci', encoding='utf-8') as file:
            read_file(file.read(), os.path.dirname(path), functions)
    return functions


def read_file(text, object_dir, functions):
    file = os.path.basename(re.match(r'graph: \{ title: "([^"]*)"', text)[1])
    for node in re.finditer(r'node: \{ title: "([^"]*)" label: "[^"]*?'
                            r'(\d+) bytes \(([^)]*)\)', text):
        function = functions.setdefault(node[1], Function(node[1], file))
        function.stack_bytes = int(node[2])
        function.is_bounded = node[3] in ('static', 'dynamic,bounded')
    for edge in re.finditer(r'edge: \{ sourcename: "([^"]*)" targetname: '
                            r'"([^"]*)"(?: label: "([^":]*):(\d+):(\d+)")?',
                            text):
        member = None
        if edge[2] == '__indirect_call':
            member = member_of(find_source(object_dir, edge[3]), int(edge[4]),
                               int(edge[5]))
        functions[edge[1]].calls.append(Call(edge[2], member))


def find_source(object_dir, path):
    """Paths are from where the compiler ran: the top of the build."""
    while not os.path.exists(os.path.join(object_dir, path)):
        if object_dir == '/':
            raise FileNotFoundError(path)
        object_dir = os.path.dirname(object_dir)
    return os.path.join(object_dir, path)


def read_text(folders):
    """{file: its text}"""
    text = {}
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, '**/*.[ch]'),
                                     recursive=True)):
            with open(path, encoding='utf-8') as file:
                # The compiler's graph has no folders: files of two rooms that
                # have one name are one file there.
                name = os.path.basename(path)
                text[name] = text.get(name, '') + file.read()
    return text


def read_code(folders):
    """{file: names that stand there without a call}"""
    return {file: find_names(text) for file, text in read_text(folders).items()}


def find_names(text):
    """Not those of types, members and variables that are declared."""
    text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', ' ', text, flags=re.S)
    return set(re.findall(r'(?:[=,({&?:]|return)\s*(\w+)\s*(?=[,;)}:])', text))


def find_pointed_at(functions, names):
    """Returns functions that are called through pointers: their name occurs
    somewhere without a call, or they have no direct call (macros make some
    names)."""
    called = {call.name for f in functions.values() for call in f.calls}
    anywhere = set().union(*names.values())
    return {f for f in functions.values()
            if '.' not in f.key.split(':')[-1] and
            (f.name in (names[f.file] if ':' in f.key else anywhere) or
             f.key not in called)}


class Graph:
    """Direct calls, and calls through pointers as @members say: {member:
    pattern of the names of functions}. Pairs of @never are not calls."""

    def __init__(self, functions, pointed_at, members, never=()):
        self.functions = functions
        self.pointed_at = pointed_at
        self.members = members
        self.never = {pair[:2] for pair in never}
        self.externals = {}
        self.errors = set()
        # what a pointer of each member may lead to, and the deepest stacks
        self.targets = {}
        self.depths = {}

    def callees(self, function):
        for call in function.calls:
            if call.member is None:
                yield from self.direct(function, call.name)
            else:
                yield from self.through(function, call.member)

    def direct(self, function, name):
        if name in self.functions:
            yield self.functions[name]
        else:
            self.externals.setdefault(name, set()).add(function)

    def through(self, function, member):
        member = member if member in self.members else \
            re.sub(r'.*(->|\.)', '', member)
        if member not in self.members:
            self.errors.add('%s calls through %s' % (function.name, member))
            return
        if member not in self.targets:
            pattern = re.compile(self.members[member])
            self.targets[member] = [f for f in self.pointed_at
                                    if pattern.fullmatch(f.name)]
        for f in self.targets[member]:
            if (function.name, f.name) not in self.never:
                yield f

    def unknown(self, entries):
        """Returns functions without a known caller."""
        return sorted(f.name for f in self.pointed_at
                      if not any(re.fullmatch(pattern, f.name) for pattern in
                                 list(self.members.values()) + entries))

    def paths(self, entries):
        """Returns {function: path to it} for all that @entries reach."""
        found = {f: [f] for f in entries}
        todo = list(entries)
        while todo:
            function = todo.pop(0)
            for callee in self.callees(function):
                if callee not in found:
                    found[callee] = found[function] + [callee]
                    todo.append(callee)
        return found

    def deepest(self, function, above=()):
        """Returns (bytes, path) of the deepest stack; raises ValueError for a
        cycle."""
        if function in above:
            raise ValueError(' > '.join(f.name for f in
                                        above[above.index(function):]))
        if function not in self.depths:
            below = [self.deepest(f, above + (function,))
                     for f in set(self.callees(function))]
            depth, path = max(below, key=lambda b: b[0], default=(0, []))
            self.depths[function] = (depth + function.stack_bytes,
                                     [function] + path)
        return self.depths[function]
