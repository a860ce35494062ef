import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { referencePages } from '../../scripts/generate-reference.ts';
import { readAgentConfig } from '../../src/agent/agent-config.ts';
import { parseContent } from '../../src/domain/parsers/parse-content.ts';
import { judge } from '../../src/domain/rules/judge.ts';
import { releaseSet, utcTime } from '../../src/domain/rules/release-set-fixture.ts';
import { type SourceTypeId, sourceTypes } from '../../src/domain/source-types/source-types.ts';
import { renderTemplate } from '../../src/domain/templates/render-template.ts';
import { sampleEvent } from '../../src/domain/templates/sample-events.ts';
import {
  applyVersionTransform,
  type VersionTransform,
  versionTransforms,
} from '../../src/domain/transforms/version-transform.ts';
import { readProviderFile } from '../../src/modules/accounts/login-providers/provider-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = new Map(
  ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'SECURITY.md']
    .concat(
      readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md'))
        .map((file) => `docs/${file}`),
    )
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const),
);

test('every page of docs/ has a different file name, which is its path on a server', () => {
  const names = [...pages.keys()]
    .filter((file) => file.startsWith('docs/'))
    .map((file) => path.basename(file));
  expect(names).toEqual([...new Set(names)]);
});

/** Returns the fenced code blocks whose info string is exactly `info`. */
function blocks(info: string): { file: string; text: string }[] {
  return [...pages].flatMap(([file, page]) =>
    [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
      .filter(([, fence]) => fence === info)
      .map(([, , text]) => ({ file, text: text! })),
  );
}

/** Returns the rows of the table after `<!-- examples: name -->`. */
function exampleRows(file: string, name: string): string[][] {
  const part = pages.get(file)!.split(`<!-- examples: ${name} -->`)[1]!.split('<!-- end -->')[0]!;
  const lines = part
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );
}

test('every login provider file in the guides is valid', () => {
  const files = blocks('yaml').filter(({ text }) => text.includes('# login providers'));
  const indented = [
    ...pages.get('docs/single-sign-on.md')!.matchAll(/^ {3}```yaml\n([\s\S]*?)^ {3}```$/gm),
  ].map(([, text]) => ({ file: 'docs/single-sign-on.md', text: text!.replaceAll(/^ {3}/gm, '') }));
  expect(files.length + indented.length).toBe(5);
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'secret'), 'a secret');
  for (const { file, text } of [...files, ...indented]) {
    const name = path.join(folder, 'providers.yaml');
    writeFileSync(name, text.replaceAll(/client_secret: \S+/g, 'client_secret: file:secret'));
    expect(readProviderFile(name), file).toHaveLength(1);
  }
});

test('the reference pages match the output of their generator', () => {
  for (const [name, text] of referencePages()) expect(pages.get(`docs/${name}`)).toBe(text);
});

describe('links in the documents', () => {
  const anchorsOf = (page: string) =>
    [...page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );

  test.each([...pages.keys()])('every link in %s has an existing target', (file) => {
    const text = pages.get(file)!.replaceAll(/^```[\s\S]*?^```$/gm, '');
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^(https?:|mailto:)/.test(target))
      .filter((target) => {
        const [to, anchor] = target.split('#');
        const name = to === '' ? file : path.posix.join(path.posix.dirname(file), to!);
        const page = pages.get(name);
        if (page !== undefined) return anchor !== undefined && !anchorsOf(page).includes(anchor);
        try {
          return readFileSync(path.join(root, name)).length === 0;
        } catch {
          return true;
        }
      });
    expect(broken).toEqual([]);
  });
});

describe('examples in the documents', () => {
  test('every configuration file example is valid against the schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajvFormats.default(ajv);
    const schema: object = JSON.parse(readFileSync(path.join(root, 'spec/pacekeeper.schema.json'), 'utf8'));
    const validate = ajv.compile(schema);
    const examples = blocks('yaml pacekeeper.yaml');
    expect(examples.length).toBeGreaterThan(10);
    for (const { file, text } of examples) {
      expect(validate(parse(text)), `${file}\n${text}${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  test('every chart values example is on the same page as the command that uses it and contains only values from the chart', () => {
    const known = parse(readFileSync(path.join(root, 'deploy/helm/pacekeeper/values.yaml'), 'utf8'));
    const commands = [...pages].flatMap(([file, page]) =>
      [...page.matchAll(/^helm install .* -f (\S+)$/gm)].map(([, values]) => ({ file, values: values! })),
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const { file, values } of commands) {
      const shown = blocks(`yaml ${values}`).filter((block) => block.file === file);
      expect(shown).toHaveLength(1);
      expect(known).toMatchObject(toShape(parse(shown[0]!.text) as object));
    }
  });

  test('every agent configuration file example is valid', () => {
    const examples = blocks('yaml agent.yaml');
    expect(examples.length).toBeGreaterThan(0);
    const folder = temporaryFolder();
    const secret = path.join(folder, 'secret');
    // Use one RSA key as the secret in all examples, because every kind of credential accepts it.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const { text } of examples) {
      const file = path.join(folder, 'agent.yaml');
      writeFileSync(file, text.replaceAll(/file:\/[^\s"]+/g, `file:${secret}`));
      const env = Object.fromEntries(
        [...text.matchAll(/env:([A-Z_]+)/g)].map(([, name]) => [name!, 'secret']),
      );
      const config = readAgentConfig(file, {
        ...env,
        PACEKEEPER_SERVER_URL: 'https://pacekeeper.example.org',
        PACEKEEPER_API_KEY: 'pk_1_x',
      });
      expect(config.credentials.length).toBeGreaterThan(0);
    }
  });

  test('every template example renders to valid JSON', () => {
    const examples = blocks('liquid');
    expect(examples.length).toBeGreaterThan(0);
    for (const { text } of examples) {
      expect(renderTemplate(text, sampleEvent('alert.created'))).toMatchObject({
        ok: true,
        isValidJson: true,
      });
    }
  });

  test.each(exampleRows('docs/deployed-versions.md', 'parsers'))(
    'a parser example finds the documented version: %s in %s by %s is %s',
    (parser, content, expression, version) => {
      const found = parseContent({
        parserType: parser as 'yq' | 'jq' | 'regex' | 'sbom',
        expression: expression!,
        content: content!,
        transform: 'none',
      });
      expect(found).toMatchObject({ version });
    },
  );

  test.each(exampleRows('docs/sources.md', 'artifacts'))(
    'a %s example stores the artifact name as documented: %s becomes %s',
    (type, pasted, stored) => {
      const name = sourceTypes[type as SourceTypeId].normalizeArtifactName(pasted!);
      expect(name).toEqual({ ok: true, artifactName: stored });
    },
  );

  test('every transform example returns the documented result', () => {
    const rows = exampleRows('docs/deployed-versions.md', 'transforms');
    expect(rows.map(([transform]) => transform)).toEqual(versionTransforms);
    for (const [transform, ...results] of rows) {
      const found = ['1.2.3', 'v1.2.3', 'V1.2.3'].map((version) =>
        applyVersionTransform(version, transform as VersionTransform),
      );
      expect(found, transform).toEqual(results);
    }
  });

  test.each(exampleRows('docs/rules.md', 'days'))(
    'a days rule example has the documented result: %s is %s days behind and %s',
    (released, behindBy, severity) => {
      const verdict = judge({
        rule: {
          type: 'days_behind',
          thresholds: { moderate: 30, high: 60, critical: 90 },
          stableOnly: true,
          daysBasis: 'deployed_release',
          minReleaseAgeDays: 0,
        },
        options: { candidatePattern: null, ignoredVersions: [] },
        deployedVersion: '1.0.0',
        releases: releaseSet([`1.0.0 ${released}`, '2.0.0 2026-03-14']),
        nowMs: utcTime('2026-03-15'),
      });
      expect(verdict).toMatchObject({
        behindBy: Number(behindBy),
        severity: severity === 'none' ? null : severity,
      });
    },
  );
});

/** Returns an object with the keys of `values` that matches any values. */
function toShape(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? toShape(value as object)
        : expect.anything(),
    ]),
  );
}
