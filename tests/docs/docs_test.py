#!/usr/bin/env python3
"""What the pages say holds: every link leads somewhere, every path of a map
exists, every threat has its tests, and every `terra ...` line can be typed as
it is printed.

    docs_test.py ROOT TERRA

A line that takes long is run smaller, one that cannot run here is listed with
its reason; whoever writes another such line into a page must add it here, and
an entry that no page needs any more fails, too.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT, TERRA = (os.path.abspath(argument) for argument in sys.argv[1:3])

# Line as printed -> what is run instead, with {folder}, {file}, ... filled in.
SMALLER = {
    'terra arena nova --seats master,club --games 200 --threads 2 --option setup=random --out series':
        ['terra arena nova --seats greedy,random --games 2 --threads 2 --board islet --option setup=random --out series'],
    'terra arena nova ... --out series --resume':
        ['terra arena nova --seats greedy,random --games 4 --threads 2 --board islet --option setup=random --out series --resume'],
    'terra arena nova --seats master,uct:2200 --calibrate 100':
        ['terra arena nova --seats greedy,uct:20 --board islet --calibrate 5'],
    'terra arena nova --seats master/explore=300,master --sprt 0,30':
        ['terra arena nova --seats uct:20/explore=300,uct:20 --board islet --games 2 --sprt 0,30 --out sprt'],
    'terra arena nova --seats master,uct:2200 --lead 60':
        ['terra arena nova --seats greedy,uct:20 --board islet --games 2 --lead 60 --out lead'],
    'terra arena nova --seats "engine:python3 my_engine.py,club" --games 100':
        ['terra arena nova --seats "engine:terra engine nova --bot greedy,random" --games 2 --board islet --option setup=random --out engine'],
    'terra selfplay nova --seats club,club --games 10000 --processes 2 --out set':
        ['terra selfplay nova --seats greedy,random --games 4 --processes 2 --out set'],
    'terra selfplay mystica --seats greedy,greedy --opening 20 --games 500 --processes 2 --out set':
        ['terra selfplay mystica --seats random,random --opening 20 --games 2 --processes 2 --out other'],
    'terra puzzles nova --check web/public/puzzles/nova.txt':
        ['terra puzzles nova --check {root}/web/public/puzzles/nova.txt --every 100'],
    'build/terra bench': ['build/terra bench blank --seconds 0.02'],
    'build/terra bench nova --json': ['build/terra bench nova --json --seconds 0.02'],
    'build/terra bench --fingerprint': ['build/terra bench blank --fingerprint'],
    'terra admin --data FOLDER users | games | reports | show ID':
        ['terra admin --data {data} users', 'terra admin --data {data} games',
         'terra admin --data {data} reports', 'terra admin --help'],
    'terra admin --data FOLDER backup FILE': ['terra admin --data {data} backup copy.db'],
    'terra admin --data FOLDER backup COPY/terra.db':
        ['terra admin --data {data} backup other.db'],
    'terra admin --data COPY check': ['terra admin --data {data} check'],
    'terra admin --data FOLDER check': ['terra admin --data {data} check'],
    'terra admin --data FOLDER vacuum': ['terra admin --data {data} vacuum'],
    'terra COMMAND ...': ['terra --help', 'terra play --help'],
}
# Line (its beginning) -> why it is not run.
NOT_HERE = {
    'terra serve --data /var/lib/terrarium': 'serves until it is stopped: the stages server and web',
    'terra serve --data COPY': 'serves until it is stopped: the stage server',
    'terra admin --data FOLDER ban': 'needs an account: tests/server',
    'terra admin migrate': 'needs PostgreSQL: tests/store',
    'terra arena blank --games 300': 'needs the table that was learnt: python/tests',
    'terra arena mystica --games 100': 'needs the weights that were learnt: python/tests',
}

count, failed, used = 0, 0, set()


def point(good, name, why=''):
    global count, failed
    count += 1
    failed += not good
    print(f'{"ok" if good else "not ok"} {count} - {name}')
    for line in why.splitlines() if not good else []:
        print('#', line)


def pages():
    skip = {'node_modules', 'dist', '.git'}
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in skip
                            and not f.startswith('build'))
        for name in sorted(files):
            if name.endswith('.md'):
                yield os.path.join(folder, name)


def prose(text):
    """Without blocks of code, fenced or indented, and without code in lines."""
    text = re.sub(r'^```.*?^```', '', text, flags=re.M | re.S)
    text = re.sub(r'(?:\A|\n\n)(?:(?:    |\t).*\n?)+', '\n\n', text)
    return re.sub(r'`[^`\n]*`', '', text)


def anchors(path):
    """The addresses of the headings of a page, as GitHub makes them."""
    found = set()
    with open(path) as file:
        text = re.sub(r'^```.*?^```', '', file.read(), flags=re.M | re.S)
    for heading in re.findall(r'^#+ +(.*)$', text, re.M):
        heading = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading)
        word = re.sub(r'[^\w\- ]', '', heading.strip().lower())
        word = word.replace(' ', '-')
        number, address = 0, word
        while address in found:
            number += 1
            address = f'{word}-{number}'
        found.add(address)
    return found


def broken_links(page, text):
    for target in re.findall(r'\]\(\s*<?([^)\s>]+)', prose(text)):
        if re.match(r'[a-z]+:', target):
            continue
        path, _, anchor = urllib.parse.unquote(target).partition('#')
        to = os.path.join(os.path.dirname(page), path) if path else page
        if not os.path.exists(to):
            yield f'{target}: no such file'
        elif anchor and anchor not in anchors(to):
            yield f'{target}: no such heading'


def blocks(text):
    """Lines of code: indented by four blanks after an empty line, or fenced."""
    for fenced in re.findall(r'^```(?:sh|bash|console)?\n(.*?)^```', text,
                             re.M | re.S):
        yield from fenced.splitlines()
    for block in re.findall(r'(?:\A|\n)\n((?:(?:    ).*\n)+)', text):
        yield from re.sub(r'\\\n\s+', '', block).splitlines()


def wrong_paths(text):
    """Maps of the tree: "    folder/    what it is for"."""
    for line in blocks(text):
        found = re.match(r'    ([a-z][\w./-]*/[\w./-]*) {2,}\S', line)
        places = (ROOT, os.path.join(ROOT, 'web/src'))
        if found and not any(glob.glob(os.path.join(place, found[1]) + '*')
                             for place in places):
            yield found[1]


def all_tests():
    """Their text, with literals that stand behind each other as one."""
    found = []
    for place in ('tests/**/*.*', 'web/tests/**/*.*'):
        for path in glob.glob(os.path.join(ROOT, place), recursive=True):
            if path.endswith(('.c', '.py', '.mjs', '.ts')):
                with open(path) as file:
                    found.append(file.read())
    return re.sub(r'"\s*\n\s*f?"', '', '\n'.join(found))


def threats_not_shown(text):
    """Rows whose last cell names no test, or one that does not exist."""
    tests = all_tests()
    for row in re.findall(r'^\| (?!threat|---)(.*) \|$', text, re.M):
        cells = row.split(' | ')
        named = re.findall(r'`([a-z_]+)`|"([^"]+)"', cells[-1])
        for name in [function or line for function, line in named]:
            if name not in tests:
                yield f'{cells[0]}: there is no test "{name}"'
        if not named:
            yield f'{cells[0]}: shown by no test'


def commands(text):
    for line in blocks(text):
        found = re.match(r'\s*(?:\$ )?((?:LC_ALL=\S+ )?(?:build/)?terra .*)$',
                         line)
        if found:  # two blanks begin a remark
            yield re.split(r' {2,}', found[1].strip())[0]


def run(line, cwd):
    environment = dict(os.environ, LC_ALL='C.UTF-8',
                       PATH=cwd + '/bin:' + os.environ['PATH'])
    try:
        done = subprocess.run(['bash', '-c', line], cwd=cwd, text=True,
                              input='quit\n', env=environment, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return 'took more than five minutes'
    if done.returncode == 0:
        return ''
    return f'status {done.returncode} of {line}\n{done.stdout[-1500:]}'


def exercise(line, cwd):
    for begin, why in NOT_HERE.items():
        if line.startswith(begin):
            used.add(begin)
            print(f'# not run: {line}: {why}')
            return
    used.add(line)
    for instead in SMALLER.get(line, [line]):
        why = run(instead.format(data=cwd + '/data', root=ROOT), cwd)
        point(not why, f'{line} [{shlex.split(instead)[1]}]', why)


def scratch(cwd):
    """A folder in which the lines can be typed."""
    for folder in ('bin', 'build', 'data'):
        os.mkdir(os.path.join(cwd, folder))
        if folder != 'data':
            os.symlink(TERRA, os.path.join(cwd, folder, 'terra'))
    shutil.copy(os.path.join(ROOT, 'tests/games/nova/sample-islet.nova'),
                os.path.join(cwd, 'game.nova'))


def data_of_a_server(cwd):
    """A server that is started and stopped leaves its data."""
    with open(cwd + '/index.html', 'w') as file:
        file.write('<!doctype html>')
    child = subprocess.Popen([TERRA, 'serve', '--port', '0', '--data',
                              cwd + '/data', '--root', cwd, '--quiet'],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
    said = child.stdout.readline()
    child.terminate()
    rest = child.communicate()[0]
    point(child.returncode == 0, 'a server leaves its data', said + rest)


def main():
    lines = []
    for page in pages():
        name = os.path.relpath(page, ROOT)
        with open(page) as file:
            text = file.read()
        bad = list(broken_links(page, text))
        point(not bad, f'links of {name}', '\n'.join(bad))
        if name == 'README.md' or name.startswith('docs/'):
            bad = list(wrong_paths(text))
            point(not bad, f'paths of {name}', '\n'.join(bad))
        if name == 'docs/security.md':
            bad = list(threats_not_shown(text))
            point(not bad, f'threats of {name}', '\n'.join(bad))
        # bench/results tells what was run for hours; its files are the proof.
        if not name.startswith('bench/results/'):
            lines += [line for line in commands(text) if line not in lines]
    point(len(lines) > 15, 'the pages have commands')
    if os.environ.get('TERRA_TEST') == 'quick':  # sanitizers, coverage
        print('# not run: any command, where tests are to be quick')
        print(f'1..{count}')
        sys.exit(failed > 0)
    with tempfile.TemporaryDirectory() as cwd:
        scratch(cwd)
        data_of_a_server(cwd)
        for line in lines:
            exercise(line, cwd)
    unused = [*SMALLER, *NOT_HERE]
    unused = [line for line in unused if line not in used]
    point(not unused, 'no page lacks what is listed here', '\n'.join(unused))
    print(f'1..{count}')
    sys.exit(failed > 0)


main()
