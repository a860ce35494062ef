import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { applyMutation, findSites } from './find-sites.ts';
import { markSites } from './mark-sites.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the sites in the body of a function, as the text before and after the change. */
function sitesIn(body: string): string[] {
  return findSites('a.tsx', `function f() { ${body} }`).map(
    ({ kind, before, after }) => `${kind}: ${before} → ${after}`,
  );
}

/** Returns the syntax errors of a file. */
function syntaxErrors(fileName: string, text: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.ReactJSX, target: ts.ScriptTarget.ESNext },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the mutation sites of a file', () => {
  test.each<[body: string, sites: string[]]>([
    ['return a === b;', ['flipped comparison: a === b → a !== b']],
    ['return a !== b;', ['flipped comparison: a !== b → a === b']],
    ['return a < b;', ['flipped comparison: a < b → a >= b', 'moved boundary: a < b → a <= b']],
    ['return a >= b;', ['flipped comparison: a >= b → a < b', 'moved boundary: a >= b → a > b']],
    ['return a && b;', ['flipped operator: a && b → a || b']],
    ['return a || b;', ['flipped operator: a || b → a && b']],
    ['return !a;', ['removed negation: !a → a']],
    ['return a ? b : c;', ['swapped branches: a ? b : c → a ? c : b']],
    ['a(); if (b) c.d = e;', ['removed statement: a() → void 0', 'removed statement: c.d = e → void 0']],
    ['return true;', ['changed literal: true → false']],
    ['return a[1];', ['changed literal: 1 → (1 + 1)']],
    ['return a.filter((b) => b.c).map(d);', ['removed filter: a.filter((b) => b.c) → a']],
  ])('include the changes of %s', (body, sites) => {
    expect(sitesIn(body)).toEqual(sites);
  });

  test.each([
    ['types', 'type A = 1 | true; let a: B<2> = c as { d: true };'],
    ['log lines', 'log.info({ a: !b }, c ? d : e); context.log.warn(a === b); console.error(a && b);'],
    ['thrown errors', 'throw new Error(a ? b : c);'],
    ['texts for people', 'return { message: a ? b : c, label: d && e };'],
    ['two sentences', "return a ? 'Not found.' : `No ${b} here.`;"],
    ['statements that wait', 'await a(); b = await c();'],
    ['query builders', "return a.filter({ b: 'c' });"],
    ['branches that are equal', 'return a ? b : b;'],
  ])('exclude %s', (_, body) => {
    expect(sitesIn(body)).toEqual([]);
  });

  test('exclude code outside of functions', () => {
    expect(findSites('a.ts', 'const a = b === 1; if (!a) c();')).toEqual([]);
  });

  test('have the line number of the changed operator', () => {
    const [site] = findSites('a.ts', 'const f = () =>\n  a\n    === b;');
    expect(site).toMatchObject({ line: 3, lineText: '=== b;' });
  });

  test.each(['src/domain/scheduling', 'src/modules/runs', 'web/src/ui'])(
    'cause no syntax errors in the files of %s, whether changed or marked',
    (folder) => {
      for (const name of readdirSync(path.join(root, folder))) {
        if (!/\.tsx?$/.test(name) || name.includes('.test.')) continue;
        const text = readFileSync(path.join(root, folder, name), 'utf8');
        const sites = findSites(name, text);
        // Check only every tenth site, because parsing the file once for each site would take too long.
        for (const site of sites.filter((_, index) => index % 10 === 0))
          expect(syntaxErrors(name, applyMutation(text, site)), `${name}:${site.line}`).toEqual([]);
        const numbered = sites.map((site, id) => ({ id, site }));
        expect(syntaxErrors(name, markSites(text, numbered, '/marks')), name).toEqual([]);
      }
    },
  );
});
