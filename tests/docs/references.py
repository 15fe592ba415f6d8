#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that what files of the project refer to exists in the repository.

Usage: references.py SOURCE-DIR     prints TAP

In all text files: paths of the project's folders, paths that start with "../",
names of pages ("semantics.md"), and citations of their sections
("semantics.md, section 3"). A page without a folder is one of docs/. In
Markdown, too: links and their anchors. Only https links may lead out of the
repository.
"""

import fnmatch
import os
import re
import subprocess
import sys
import tempfile

# Folders of the repository; QEMU's tree has some of these names as well.
PATH = re.compile(
    r'(?<![\w./<$}@-])'
    r'((?:docs|hw/veu|include/veu|plugin|firmware|tools|tests|debian|LICENSES)'
    r'/[\w./*{},+-]*[\w*}])')
PARENT = re.compile(r'(?<![\w$"})/.-])((?:\.\./)+[\w./-]*)')
PAGE = re.compile(r'(?<![\w./%-])((?:[\w.-]+/)*\w[\w-]*\.md)\b(?!:)')
CITED = re.compile(
    r'(?:(?<![\w./-])((?:[\w.-]+/)*[\w-]+\.md)|"[\w ]+"),? '
    r'sections? ([\d.]+(?:(?:,| and|, and| to) [\d.]+)*)')
SECTION = re.compile(r'\b[Ss]ections? \d')
LINK = re.compile(r'\[[^\]]*\]\(([^)\s]+)\)')
HEADING = re.compile(r'^#{1,6} (.*?)\s*$', re.MULTILINE)
ANCHOR = re.compile(r'<a id="([^"]+)">')
FENCE = re.compile(r'^```.*?^```$', re.MULTILINE | re.DOTALL)
# Leaders of comments, which stand between the words of a sentence.
LEADER = re.compile(r'\n[ \t]*(?:\*(?!/)|//|#|--)?[ \t]*')
NAMED = re.compile(r'[A-Z]{2,}')  # "fuzz_NAME": a word for many

# Pages of others: of the vendor's documentation, and of QEMU.
FOREIGN_PAGES = {'SVM.md', '4_visa_header.md', '3_execution_model.md',
                 'docs/specs/veu.md', 'tree/docs/specs/veu.md',
                 'veu/docs/spec.md', 'PAGE.md'}
FOREIGN_PATHS = ['docs/specs/*', 'docs/devel/*']
# What the build makes.
BUILT = ['firmware/veu-*', 'firmware/linux/linux-*', 'firmware/linux/*/veu.ko',
         'tools/lib*.a.p', 'firmware/linux/lib/first_gather',
         'firmware/linux/lib/first_kernel',
         'firmware/linux/lib/first_pointer', 'debian/build*', 'debian/tmp*',
         'hw/veu/veu.rom', 'tests/fuzz/fuzz_', 'plugin/libveu-qemu.a*',
         'tools/lib*.a.p',
         'plugin/veu.o', 'tests/device/device_*', 'tests/unit/test_',
         'tests/unit/test_*.p',
         'tests/unit/libunit_test.a', 'tools/lib*.a.p']
# Files that are not text of this project, or that name missing files:
# patterns, files of a test, names from before a move.
BARE = ['*.png', '*.hex', 'LICENSE', 'LICENSES/*', 'tests/data/*',
        'tests/docs/references.py', 'tests/checks/analyze/exceptions.py',
        'tests/checks/licences', 'scripts/move-tree', '*.svg', '*.json',
        '*.dict']


class Repository:
    def __init__(self, source, files):
        self.source = source
        self.files = set(files)
        self.folders = {file[:found.start()] for file in files
                        for found in re.finditer('/', file)}
        self.sections = {}
        self.anchors = {}

    def text(self, name):
        with open(os.path.join(self.source, name), encoding='utf-8',
                  errors='replace') as file:
            return file.read()

    def has(self, path):
        """A file, a folder, or a pattern of them."""
        path = NAMED.sub('*', os.path.normpath(path))
        alternatives = re.search(r'\{([^}]*)\}', path)
        if alternatives:
            return all(self.has(path.replace(alternatives[0], one))
                       for one in alternatives[1].split(','))
        if path in self.files or path in self.folders or any(
                fnmatch.fnmatchcase(path, pattern)
                for pattern in FOREIGN_PATHS + BUILT):
            return True
        if any(os.path.splitext(file)[0] == path for file in self.files):
            return True  # a program, whose source is there
        return '*' in path and any(
            fnmatch.fnmatchcase(name, path)
            for name in self.files | self.folders)

    def find_page(self, page, beside):
        for folder in (os.path.dirname(beside), '', 'docs'):
            path = os.path.normpath(os.path.join(folder, page))
            if path in self.files:
                return path
        return None

    def read_page(self, page):
        if page not in self.sections:
            text = FENCE.sub('', self.text(page))
            headings = HEADING.findall(text)
            self.sections[page] = {
                found[1] for found in
                (re.match(r'([\d.]*\d)\.? ', line) for line in headings)
                if found}
            self.anchors[page] = {slug(line) for line in headings} | set(
                ANCHOR.findall(text))
        return self.sections[page], self.anchors[page]


def slug(heading):
    """The anchor that forges give to a heading."""
    plain = re.sub(r'`|\[([^\]]*)\]\([^)]*\)', r'\1', heading)
    return re.sub(r'[^\w\- ]', '', plain.lower()).replace(' ', '-')


def outside(beside, path):
    return os.path.normpath(
        os.path.join(os.path.dirname(beside), path)).startswith('..')


def link_errors(repository, name, text):
    for target in LINK.findall(FENCE.sub('', text)):
        path, _, anchor = target.partition('#')
        if target.startswith('https://'):
            continue
        page = os.path.normpath(os.path.join(os.path.dirname(name), path)) \
            if path else name
        if re.match(r'\w+:', target) or page.startswith('..'):
            yield 'link leads out of the repository: ' + target
        elif not repository.has(page):
            yield 'link to what does not exist: ' + target
        elif anchor and page.endswith('.md') and \
                anchor not in repository.read_page(page)[1]:
            yield 'link to no heading: ' + target


def path_errors(repository, name, text):
    for path in PATH.findall(text):
        if not repository.has(path) and not repository.has(
                os.path.join(os.path.dirname(name), path)):
            yield 'path does not exist: ' + path
    for path in PARENT.findall(text):
        if outside(name, path):
            yield 'path leads out of the repository: ' + path


def citation_errors(repository, name, text):
    joined = LEADER.sub(' ', text)
    for page in PAGE.findall(joined):
        if page not in FOREIGN_PAGES and not repository.find_page(page, name):
            yield 'page does not exist: ' + page
    for page, numbers in CITED.findall(joined):
        found = page and repository.find_page(page, name)
        for number in re.findall(r'\d+(?:\.\d+)*', numbers) if found else []:
            if number not in repository.read_page(found)[0]:
                yield 'page has no such section: %s, section %s' % (page,
                                                                   number)
    if not name.endswith('.md'):
        for found in SECTION.finditer(CITED.sub('', joined)):
            yield 'section of which page? ...%s' % CITED.sub('', joined)[
                max(0, found.start() - 30):found.end()]


def file_errors(repository, name):
    text = repository.text(name).replace('\\-', '-')  # of manual pages
    if name.endswith('.md'):
        yield from link_errors(repository, name, text)
    yield from path_errors(repository, name, text)
    yield from citation_errors(repository, name, text)


def errors(source, files):
    repository = Repository(source, files)
    for name in sorted(files):
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in BARE):
            for error in sorted(set(file_errors(repository, name))):
                yield '%s: %s' % (name, error)


# Each line is wrong in its own way; the word that has to be reported.
WRONG = {
    'docs/a.md': [
        ('# A\n## 1 One\n[out](../../x)', 'out of the repository: ../../x'),
        ('[none](b.md)', 'does not exist: b.md'),
        ('[head](#two)', 'no heading: #two'),
        ('[plain](http://example.org)', 'out of the repository: http:'),
    ],
    'hw/veu/eu/a.c': [
        ('/* hw/veu/eu/none.c */', 'does not exist: hw/veu/eu/none.c'),
        ('/* ../../../../elsewhere/data */', 'out of the repository: ../'),
        ('/* none.md */', 'page does not exist: none.md'),
        ('/* a.md,\n * section 7 */', 'no such section: a.md, section 7'),
        ('/* semantics, section 1 */', 'section of which page?'),
    ],
}
RIGHT = '/* docs/a.md; a.md, section 1; hw/veu/eu/*.c */'


def self_test():
    """Returns the parts of WRONG that are not found, and those of RIGHT that
    are."""
    missing = []
    for name, lines in WRONG.items():
        for text, wanted in lines + [(RIGHT, None)]:
            with tempfile.TemporaryDirectory(prefix='veu-refs-') as tree:
                texts = {'docs/a.md': '# A\n## 1 One\n',
                         'hw/veu/eu/a.c': '\n'}
                texts[name] += text
                for path, content in texts.items():
                    path = os.path.join(tree, path)
                    os.makedirs(os.path.dirname(path))
                    with open(path, 'w', encoding='utf-8') as file:
                        file.write(content)
                found = list(errors(tree, list(texts)))
            if not (wanted in '\n'.join(found) if wanted else not found):
                missing.append('%s: %s' % (text, found))
    return missing


def report(number, name, found):
    print('%s %d - %s' % ('not ok' if found else 'ok', number, name))
    for error in found:
        print('# ' + error.replace('\n', ' '))


def main():
    source = sys.argv[1]
    if not os.path.exists(os.path.join(source, '.git')):
        print('1..0 # SKIP needs a git clone to know the files of the project')
        return
    listed = subprocess.run(
        ['git', '-c', 'safe.directory=*', '-C', source, 'ls-files', '--cached',
         '--others', '--exclude-standard'],
        capture_output=True, check=True, text=True).stdout.splitlines()
    files = [name for name in listed
             if os.path.isfile(os.path.join(source, name))]
    print('1..2')
    report(1, 'references lead to what exists in the repository',
           list(errors(source, files)))
    report(2, 'each wrong reference is found', self_test())


if __name__ == '__main__':
    main()
