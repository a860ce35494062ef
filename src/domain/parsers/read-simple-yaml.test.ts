import { describe, expect, test } from 'vitest';
import type { DocumentTree } from './document-tree.ts';
import { readSimpleYaml } from './read-simple-yaml.ts';
import { readYaml } from './read-yaml.ts';

const simple: Readonly<Record<string, string>> = {
  'a workload': `---
# the frontend
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: 'team-1', labels: { app: web, "tier": front } }
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: web
        image: ghcr.io/acme/web:1.2.3 # deployed
        args: ["--port=80", '-v', /etc/x, -1, it's]
        env:
          - { name: A, value: "1" }
          -   name: B
              value: 'it''s: "b"'

      volumes: []
`,
  'nested lists, empty values, and nulls': `list:
- - a
  - b
-
  - c
-
- key:
  other: ~
  third: # nothing
  fourth: null
- 'x'
empty: {}
last:`,
  'block scalars': `run: |
  echo "a: b" # no comment
    deeper

  end
folded: >-

  one
  two

  three
    deeper
  four
script:
  - |
    line
  - key: >
      text
    next: |-
      text`,
  'escapes and colons': `a: "line\\n\\"quoted\\" \\\\ \\/"
url: https://example.org:443/#fragment
time: 12:30:00

dash: -flag
`,
  'an indented document': '  a: 1\n  b:\n     - c\n # end\n',
};

/** Inserted everywhere, because each of these texts has a meaning in YAML. */
const insertions = [
  ' ',
  '\n',
  ':',
  ': ',
  '- ',
  ' #',
  '"',
  "'",
  '{',
  ']',
  ',',
  '|\n',
  '\n---\n',
  '&a ',
  '!t ',
  '~',
  '\t',
  '\\',
];

const notSimple: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a comment': '# nothing\n',
  'a scalar': 'text\n',
  'an anchor': 'a: &x 1\n',
  'an alias': 'a: *x\n',
  'a tag': 'a: !t 1\n',
  'a merge key': '<<: { a: 1 }\n',
  'a duplicate key': 'a: 1\nb: 2\na: 3\n',
  'a scalar on two lines': 'a: one\n  two\n',
  'a flow map on two lines': 'a: { b: 1,\n  c: 2 }\n',
  'two documents': 'a: 1\n---\nb: 2\n',
  'a tab': 'a:\t1\n',
  'a carriage return': 'a: 1\r\n',
  'a byte order mark': '\uFEFFa: 1\n',
  'a long text': `a: ${'x'.repeat(200_000)}\n`,
  'a deep list': `${'- '.repeat(60)}a\n`,
  'a text without a closing quote': 'a: "b\n',
};

/** Appended to a text, so that only the library reads it. A comment doesn't change the tree. */
const onlyForLibrary = '\n#\t\n';

/** Returns a tree as JSON. Uses all methods of the tree. */
function toJson(tree: DocumentTree | undefined): unknown {
  if (tree?.kind === 'map') {
    const entries = [...tree.entries()].map(([key, value]) => [key, toJson(value)]);
    return { ...tree, keys: tree.keys(), entries, offsets: tree.keys().map((key) => tree.get(key)?.offset) };
  }
  if (tree?.kind === 'list')
    return { ...tree, items: Array.from({ length: tree.length }, (_, at) => toJson(tree.at(at))) };
  return tree;
}

/** Expects the tree of the library, or that the text isn't simple. */
function check(text: string): void {
  const tree = readSimpleYaml(text);
  if (tree === null) return;
  const readings = [...readYaml(text + onlyForLibrary)];
  const expected = readings.map((reading) => (reading.ok ? toJson(reading.tree) : reading.message));
  expect(JSON.stringify([toJson(tree)]), JSON.stringify(text)).toBe(JSON.stringify(expected));
}

describe('reading simple YAML', () => {
  test.each(Object.entries(simple))('%s is read as the library reads it', (_title, text) => {
    expect(readSimpleYaml(text)).not.toBeNull();
    check(text);
  });

  test.each(Object.entries(simple))(
    '%s with one change is read as the library reads it, or left to it',
    (_title, text) => {
      for (let at = 0; at <= text.length; at++) {
        check(text.slice(0, at));
        check(text.slice(0, at) + text.slice(at + 1));
        for (const each of insertions) check(text.slice(0, at) + each + text.slice(at));
      }
    },
  );

  test.each(Object.entries(notSimple))('%s is left to the library', (_title, text) => {
    expect(readSimpleYaml(text)).toBeNull();
  });
});
