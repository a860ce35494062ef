import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');

/** Allowed imports of each area, from the table in ARCHITECTURE.md. */
const table = new Map(
  [...architecture.matchAll(/^\| `(\w+)` *\| (.+) \|$/gm)].map(([, area, allowed]) => [
    area!,
    [...allowed!.matchAll(/`([\w/-]+)`/g)].map((match) => match[1]!),
  ]),
);
/** Modules in the order of ARCHITECTURE.md, in which each one may import only those after it. */
const moduleOrder = [...architecture.matchAll(/^- `([a-z-]+)`: /gm)].map(([, name]) => name!);

interface Import {
  from: string;
  to: string;
}

function sourceFiles(): string[] {
  return ['src', 'web/src'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import|import\(|new URL\()\s*'(\.[^']+|node:[^']+)'/g)].map(
    (match) => match[1]!,
  );
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith('node:') ? specifier : path.posix.join(path.posix.dirname(file), specifier),
  }));
}

/**
 * True if a file imports functions that parse versions, rather than only constants, such as the list of
 * schemes or the revision number of the parser.
 */
function parsesVersions(file: string): boolean {
  const text = readFileSync(path.join(root, file), 'utf8');
  return /import \{[^}]*\b(?:versionScheme|autoScheme|createAutoScheme|semverScheme|upstreamRank)\b[^}]*\}/.test(
    text,
  );
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
/** Returns the area of a file, such as domain for `src/domain/…`. The whole web page is one area. */
const area = (file: string) => (file.startsWith('web/') ? 'web' : file.split('/')[1]!.replace(/\.ts$/, ''));

function allows(from: string, to: string): boolean {
  if (!to.startsWith('src/')) return true;
  if (area(from) === area(to)) return true;
  return (table.get(area(from)) ?? []).some(
    (allowed) => to === `src/${allowed}.ts` || to.startsWith(`src/${allowed}/`),
  );
}

/**
 * Files that parse version strings, with the versions that they parse. Only `resolveDeployed` looks up a deployed
 * version string, because its meaning depends on the releases: it can be a moving tag, only a platform name, or a
 * commit.
 */
const parsers: Readonly<Record<string, string>> = {
  'src/domain/rules/release-set.ts': 'releases; `parse` is for resolve-deployed.ts',
  'src/domain/rules/read-in-context.ts': 'releases',
  'src/domain/support/support-lines.ts':
    'the version that resolve-deployed.ts returns, in the notation of the data',
  'src/domain/vulnerabilities/affected-versions.ts': 'as support-lines.ts, and versions of the data',
  'src/domain/vulnerabilities/find-vulnerabilities.ts': 'as support-lines.ts, and versions of the data',
  'src/domain/vulnerabilities/module-majors.ts': 'versions of the data',
  'src/domain/environments/current-relations.ts': 'deployed versions, to compare them with each other',
  'src/domain/environments/service-cells.ts': 'deployed versions, to compare them with each other',
  'src/domain/deployments/deployment-change.ts': 'deployed versions, to compare them with each other',
  'src/domain/parsers/select-components.ts': 'versions of a component in a document, to choose one of them',
  'src/modules/environments/read-promotions.ts': 'deployed versions, to compare them with each other',
  'src/modules/deployed/exposures/exposure-handlers.ts':
    'former versions, to compare them with a range: the releases of their time are unknown',
  'src/modules/upstream/gather-jobs/summarize-source.ts': 'releases',
  'src/modules/upstream/gather-jobs/summarize-tags.ts': 'releases',
  'src/modules/upstream/releases/read-versions-again.ts': 'releases',
  'src/modules/upstream/releases/record-deployed-versions.ts':
    'versions that become releases of a gather job',
  'src/modules/upstream/releases/apply-incoming.ts': 'releases',
  'src/modules/upstream/releases/incoming-releases.ts': 'releases',
  'src/modules/upstream/releases/record-changelog.ts': 'releases',
  'src/modules/discovery/digests/match-digests.ts': 'tags of an image with the same digest',
  'src/modules/discovery/digests/start-digest-loop.ts': 'tags of an image with the same digest',
  'src/modules/notes/read-release-notes.ts': 'the ends of a range of releases',
  'src/modules/notes/project-notes.ts': 'releases',
  'src/agent/release-filter.ts': 'releases',
  'src/agent/newest-tag.ts': 'releases',
  'src/sources/oci-dates.ts': 'releases',
  'src/sources/read-oci-tags.ts': 'releases',
  'src/sources/read-helm-charts.ts': 'releases',
  'src/sources/read-changelog.ts': 'releases',
};

describe('the architecture', () => {
  test('only resolve-deployed.ts parses a deployed version to find its release', () => {
    const schemes = ['versions', 'auto-scheme', 'semver-scheme'].map(
      (name) => `src/domain/versions/${name}.ts`,
    );
    const importing = files.filter((file) => {
      if (file.startsWith('src/domain/versions/')) return false;
      return importsOf(file).some(({ to }) => schemes.includes(to)) && parsesVersions(file);
    });
    expect(importing.toSorted()).toEqual(Object.keys(parsers).toSorted());
  });

  test('the table lists every area', () => {
    expect([...new Set(files.map(area))].filter((name) => !table.has(name))).toEqual([]);
  });

  test('an area imports only what the table allows', () => {
    expect(imports.filter(({ from, to }) => !allows(from, to))).toEqual([]);
  });

  test('domain code imports no Node modules', () => {
    expect(imports.filter(({ from, to }) => area(from) === 'domain' && to.startsWith('node:'))).toEqual([]);
  });

  test.each([
    'src/domain',
    'src/modules/accounts',
    'src/modules/discovery',
    'src/modules/notifications',
    'src/modules/notifications/deliveries',
  ])('the directories of %s have no circular imports, including imports of types', (parent) => {
    const directoryOf = (file: string) =>
      file.startsWith(`${parent}/`) ? file.slice(parent.length + 1).split('/')[0]! : null;
    const imported = Map.groupBy(
      imports.filter(({ from, to }) => directoryOf(from) !== null && directoryOf(to) !== null),
      ({ from }) => directoryOf(from)!,
    );
    const reaches = (start: string): Set<string> => {
      const reached = new Set<string>();
      const visit = (directory: string) => {
        for (const { to } of imported.get(directory) ?? []) {
          const next = directoryOf(to)!;
          if (next === directory || reached.has(next)) continue;
          reached.add(next);
          visit(next);
        }
      };
      visit(start);
      return reached;
    };
    expect(imported.size).toBeGreaterThan(3);
    expect([...imported.keys()].filter((directory) => reaches(directory).has(directory))).toEqual([]);
  });

  test('a module imports only modules that follow it in the documented order, and only through their index', () => {
    const moduleOf = (file: string) => file.split('/')[2]!;
    const wrong = imports.filter(({ from, to }) => {
      if (area(from) !== 'modules' || !to.startsWith('src/modules/') || moduleOf(from) === moduleOf(to))
        return false;
      return (
        moduleOrder.indexOf(moduleOf(from)) >= moduleOrder.indexOf(moduleOf(to)) || !to.endsWith('/index.ts')
      );
    });
    expect(wrong).toEqual([]);
  });

  test('UI components import nothing from the rest of the web page', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('web/src/ui/') && to.startsWith('web/src/') && !to.startsWith('web/src/ui/'),
    );
    expect(wrong).toEqual([]);
  });
});
