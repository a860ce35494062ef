import { parse, TomlError } from 'smol-toml';
import { ownValue } from '../../json/own-value.ts';
import { softwareFact } from '../download-address.ts';
import { type Extracted, emptyExtraction, type Fact } from '../fact.ts';
import { malformedHcl, readHcl } from '../read-hcl.ts';
import { readVersion } from '../read-version.ts';
import type { TextExtractor } from './extractor.ts';

/** Versions of tools from asdf, from mise, and from files for a single tool. */
export const toolVersions: TextExtractor = {
  name: 'tool_versions',
  wantsFile: ({ path, base }) =>
    base === '.tool-versions' || base === '.tflint.hcl' || isMise(path) || Object.hasOwn(singleTools, base),
  extract(text, { path, base }) {
    if (base === '.tool-versions') return readToolVersions(text);
    if (base === '.tflint.hcl') return readTflint(text);
    if (isMise(path)) return readMise(text);
    return readSingle(text, ownValue(singleTools, base)!);
  },
};

const singleTools: Readonly<Record<string, string>> = {
  '.nvmrc': 'node',
  '.node-version': 'node',
  '.python-version': 'python',
  '.ruby-version': 'ruby',
  '.go-version': 'go',
  '.java-version': 'java',
  '.bun-version': 'bun',
  '.deno-version': 'deno',
  '.terraform-version': 'terraform',
  '.opentofu-version': 'opentofu',
  '.terragrunt-version': 'terragrunt',
  '.kubectl-version': 'kubectl',
};

function isMise(path: string): boolean {
  return /(?:^|\/)(?:\.?mise(?:\.[\w-]+)?\.toml|\.?mise\/config\.toml|\.config\/mise(?:\/config)?\.toml)$/.test(
    path,
  );
}

/** Names that only asdf and mise use, with the usual name of each tool. */
const toolAliases: Readonly<Record<string, string>> = {
  nodejs: 'node',
  golang: 'go',
  'github-cli': 'gh',
  gohugo: 'hugo',
};

const maxLines = 2_000;

function readToolVersions(text: string): Extracted {
  const facts = text.split('\n', maxLines).flatMap((line, at) => {
    // Use only the first version, because further versions are fallbacks.
    const match = /^([\w.:/@-]+)[ \t]+([^\s#]+)(?=\s|$)/.exec(line.slice(0, 1_000));
    return match ? [toolFact(match[1]!, match[2]!, at + 1)] : [];
  });
  return { ...emptyExtraction(), facts };
}

function readSingle(text: string, tool: string): Extracted {
  const lines = text.split('\n', maxLines);
  const at = lines.findIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  const version = lines[at]?.trim().split(/\s/)[0] ?? '';
  return version === ''
    ? emptyExtraction()
    : { ...emptyExtraction(), facts: [toolFact(tool, version, at + 1)] };
}

/** Reads the plugins of TFLint, each of which is in a repository on GitHub. */
function readTflint(text: string): Extracted {
  const body = readHcl(text);
  if (!body) return { ...emptyExtraction(), problems: [malformedHcl] };
  const facts = body.blocks.flatMap(({ type, labels: [name = ''], body: { attributes } }): Fact[] => {
    const [source, version] = [attributes.get('source'), attributes.get('version')];
    if (type !== 'plugin' || source?.kind !== 'text' || version?.kind !== 'text') return [];
    const repository = /^github\.com\/([\w.-]+\/[\w.-]+)$/.exec(source.text)?.[1];
    if (repository === undefined) return [];
    const place = { line: version.line, document: 0, kind: 'plugin', namespace: null, name };
    return [
      {
        extractor: 'tool_versions',
        place: { ...place, field: 'version' },
        ...softwareFact({ repository, tool: null }, version.text, 'ref'),
        note: null,
      },
    ];
  });
  return { ...emptyExtraction(), facts };
}

function readMise(text: string): Extracted {
  let document: Record<string, unknown>;
  try {
    document = parse(text, { maxDepth: 30 });
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    const problem = error instanceof Error ? error.message.split('\n')[0]!.slice(0, 200) : '';
    const message = `Not valid TOML: ${problem.replace(/^Invalid TOML document: /, '')}`;
    return { ...emptyExtraction(), problems: [{ line, reason: 'malformed', message }] };
  }
  const { tools } = document;
  if (typeof tools !== 'object' || tools === null) return emptyExtraction();
  const lines = text.split('\n').map((line) => line.trimStart());
  const facts = Object.entries(tools).flatMap(([name, value]) => {
    const version = miseVersion(value);
    return version === null ? [] : [toolFact(name, version, lineOfKey(lines, name))];
  });
  return { ...emptyExtraction(), facts };
}

/**
 * Returns the line of a tool in the `tools` table. Keys and values of other tables can contain the same name.
 */
function lineOfKey(lines: readonly string[], name: string): number {
  const start = lines.findIndex((line) => line.startsWith('[tools'));
  const isKey = (line: string) =>
    [name, `"${name}"`, `'${name}'`].some(
      (key) => line.startsWith(key) && /^\s*=/.test(line.slice(key.length)),
    );
  const at = lines.findIndex((line, index) => index > start && isKey(line));
  return (
    (at >= 0
      ? at
      : Math.max(
          0,
          lines.findIndex((line) => line.includes(name)),
        )) + 1
  );
}

/** Reads a version from `"20"`, `["3.11", "3.12"]`, or `{ version = "1.2" }`. */
function miseVersion(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return miseVersion(value[0]);
  if (typeof value === 'object' && value !== null && 'version' in value) return miseVersion(value.version);
  return null;
}

/** Removes the vendor or variant of a build, which can precede or follow the version. */
function stripVendor(tool: string, text: string): string {
  if (tool === 'flutter') return text.replace(/-(?:stable|beta|dev)$/, '');
  const match = /^(?:[a-z][a-z0-9]*[-_])+v?(\d[^]*)$/i.exec(text);
  return match ? match[1]! : text;
}

function toolFact(key: string, text: string, line: number): Fact {
  // In mise, a key can have options: `ubi:acme/tool[exe=tool]`.
  const [written = ''] = key.split('[', 1);
  const [backend, path] = written.includes(':')
    ? [written.slice(0, written.indexOf(':')), written.slice(written.indexOf(':') + 1)]
    : ['', ''];
  const isRepository = /^(?:github|ubi|aqua)$/.test(backend) && /^[\w.-]+\/[\w.-]+$/.test(path);
  const short = ownValue(toolAliases, written) ?? written;
  const isPointer = /^(?:ref|path|prefix|sub-|lts)/.test(text);
  const read = isPointer ? readVersion(null, 'tool') : readVersion(stripVendor(short, text), 'tool');
  return {
    extractor: 'tool_versions',
    place: {
      line,
      document: 0,
      kind: null,
      namespace: null,
      name: null,
      field: short,
    },
    artifact: isRepository
      ? {
          kind: 'git',
          name: path,
        }
      : {
          kind: 'tool',
          name: short,
        },
    origin: isRepository
      ? {
          type: 'git',
          url: `https://github.com/${path}`,
        }
      : { type: 'tool' },
    ...read,
    digest: null,
    note: null,
  };
}
