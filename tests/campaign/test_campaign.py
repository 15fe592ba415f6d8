#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the script campaign, with programs that do nothing: campaign_test.py
CAMPAIGN. Prints TAP."""

import os
import re
import subprocess
import sys
import tempfile

# It fails if WRONG is set, and writes a line for each run.
PROGRAM = '''#!/bin/sh
echo "$VEU_TEST_SEED" >>"$RUNS"
[ ! -e "$WRONG" ]
'''


class Fake:
    """A build directory, and a directory for a campaign's results."""

    def __init__(self, folder):
        self.folder = folder
        self.out = os.path.join(folder, 'out')
        self.runs = os.path.join(folder, 'runs')
        self.wrong = os.path.join(folder, 'wrong')
        os.makedirs(os.path.join(folder, 'tests/unit'))
        for name in ('isa', 'isa_flow', 'isa_floats'):
            path = os.path.join(folder, 'tests/unit/test_' + name)
            with open(path, 'w', encoding='utf-8') as program:
                program.write(PROGRAM)
            os.chmod(path, 0o755)

    def campaign(self, *options, **environment):
        return subprocess.run(
            [sys.argv[1], '--seconds', '1', '--out', self.out, *options,
             self.folder], check=False, capture_output=True, text=True,
            env=dict(os.environ, RUNS=self.runs, WRONG=self.wrong,
                     **environment))

    def pieces(self):
        return sorted(os.listdir(os.path.join(self.out, 'pieces')))


def shards_are_the_whole(fake):
    options = ('--only', 'isa,isa_flow', '--rounds', '2')
    first = fake.campaign(*options, '--shard', '1/3')
    seen = [set(fake.pieces())]
    for shard in ('2/3', '3/3'):
        fake.campaign(*options, '--shard', shard)
        seen.append(set(fake.pieces()) - set.union(*seen))
    report = fake.campaign(*options, '--report')
    return first.returncode == 0 and all(seen) and fake.pieces() == [
        name + '.json' for name in ('isa-00001', 'isa-00002',
                                    'isa_flow-00001', 'isa_flow-00002')] and \
        report.returncode == 0 and '| isa | 2 | 2 |' in report.stdout


def what_is_done_is_not_done_again(fake):
    fake.campaign('--only', 'isa')
    with open(fake.runs, encoding='utf-8') as runs:
        before = runs.read()
    again = fake.campaign('--only', 'isa')
    with open(fake.runs, encoding='utf-8') as runs:
        return again.returncode == 0 and runs.read() == before


def each_run_has_its_own_numbers(fake):
    fake.campaign('--only', 'isa,isa_flow', '--rounds', '2', '--jobs', '1')
    with open(fake.runs, encoding='utf-8') as runs:
        seeds = runs.read().split()
    return len(seeds) >= 4 and len(set(seeds)) == len(seeds)


def failures_are_reported(fake):
    open(fake.wrong, 'w', encoding='utf-8').close()
    failed = fake.campaign('--only', 'isa')
    os.unlink(fake.wrong)
    later = fake.campaign('--only', 'isa', '--report')
    command = re.search(r'isa-00001 failed \(status 1\): .*\n +(.*)',
                        later.stdout)
    repeated = command and subprocess.run(
        command[1], shell=True, check=False,
        env=dict(os.environ, RUNS=fake.runs, WRONG='/dev/null'))
    return failed.returncode == 1 and later.returncode == 1 and \
        command and repeated.returncode == 1


def shares_of_all_floats_follow_each_other(fake):
    fake.campaign('--only', 'floats', '--rounds', '2')
    with open(os.path.join(fake.out, 'logs/floats-00002'),
              encoding='utf-8') as log:
        return 'VEU_TEST_SHARD=2/4096' in log.read()


def what_is_missing_is_said(fake):
    done = fake.campaign('--only', 'random')
    return done.returncode == 1 and \
        'tests/unit/test_random is missing: run \'ninja' in done.stderr


def what_slurm_leaves_undone_is_an_error(fake):
    sbatch = os.path.join(fake.folder, 'sbatch')
    with open(sbatch, 'w', encoding='utf-8') as program:
        program.write('#!/bin/sh\necho no cluster >&2\nexit 1\n')
    os.chmod(sbatch, 0o755)
    failed = fake.campaign('--only', 'isa', '--rounds', '3', '--slurm', '2',
                           PATH=fake.folder + ':' + os.environ['PATH'])
    return failed.returncode == 1 and \
        '3 of 3 pieces were not done, such as isa-00001' in failed.stderr


TESTS = [shards_are_the_whole, what_is_done_is_not_done_again,
         each_run_has_its_own_numbers, failures_are_reported,
         shares_of_all_floats_follow_each_other, what_is_missing_is_said,
         what_slurm_leaves_undone_is_an_error]


def main():
    print('1..%d' % len(TESTS))
    for number, test in enumerate(TESTS, 1):
        with tempfile.TemporaryDirectory(prefix='veu-campaign-') as folder:
            good = test(Fake(folder))
        print('%sok %d - %s' % ('' if good else 'not ', number,
                                test.__name__.replace('_', ' ')), flush=True)


if __name__ == '__main__':
    main()
