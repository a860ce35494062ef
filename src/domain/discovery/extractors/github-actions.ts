import { knownSources } from '../../catalog/catalog.ts';
import type { DocumentTree } from '../../parsers/document-tree.ts';
import { softwareFact } from '../download-address.ts';
import { type Extracted, emptyExtraction, type Fact, type FactLocation } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import { type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { readWrittenImage } from '../read-image.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { commentedFact, readRenovateComment } from '../renovate-comment.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { setupInputs, toolOfAction } from '../setup-inputs.ts';
import { versionComment } from '../version-comment.ts';
import { walkTree } from '../walk-tree.ts';
import { isYamlBelow, type YamlExtractor } from './extractor.ts';

/**
 * Extracts actions, the tools that they set up, reusable workflows, images, and versions with a Renovate
 * comment.
 */
export const githubActions: YamlExtractor = {
  name: 'github_actions',
  wants: (text, file) =>
    /uses:|image:|container:/.test(text) &&
    (isYamlBelow(/(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\//, file) ||
      /^action\.ya?ml$/.test(file.base)),
  extract(document) {
    const { tree } = document;
    const result = emptyExtraction();
    const names = { kind: 'workflow', namespace: null, name: textAt(tree, 'name') };
    const commented: { name: string; fact: Fact }[] = [];
    const environment = environmentOf(tree);
    walkTree(tree, ({ node, key, field }) => {
      if (node.kind === 'map') readSetup(document, node, field, names, result, environment);
      if (node.kind === 'scalar' && /(?:^|\.)env\.[^.]+$/.test(field)) {
        const fact = readCommented(document, node, key, names);
        if (fact) commented.push({ name: key, fact });
        return false;
      }
      if (field.includes('.with.') || field.includes('.env.')) return false;
      if (node.kind !== 'scalar') return true;
      if (key === 'uses') {
        const fact = readUses(document, node, names);
        if (fact) result.facts.push(fact);
      } else if (isImageField(field)) {
        const image = readWrittenImage(node.text);
        const isFile = /dockerfile$/i.test(node.text);
        if (image && !isFile) {
          const place = locateNode(document, node, names, field);
          result.facts.push({ extractor: 'github_actions', place, ...image });
        }
      }
      return false;
    });
    result.facts.push(...commented.filter(({ name }) => !environment.used.has(name)).map(({ fact }) => fact));
    return result;
  },
};

/**
 * Maximum number of characters of an input, including the values of its variables. Real inputs are a few
 * lines of versions.
 */
const maxInputLength = 2_000;

/** Adds the versions of the tools that a step sets up. */
function readSetup(
  document: ReadDocument,
  step: DocumentTree & { kind: 'map' },
  field: string,
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'>,
  result: Extracted,
  environment: Environment,
): void {
  const uses = textAt(step, 'uses');
  const action = uses === null ? null : /^([\w.-]+\/[\w.-]+)(?:\/[^@]*)?@/.exec(uses.trim())?.[1];
  const inputs = step.get('with');
  if (action == null || inputs?.kind !== 'map') return;
  const tools = { ...toolInputs(inputs), ...toolByName(action, inputs), ...setupInputs(action) };
  readCheckout(document, action, inputs, names, result);
  for (const [input, tool] of Object.entries(tools)) {
    const node = inputs.get(input);
    if (node?.kind !== 'scalar') continue;
    const text = environment.withInputs(
      withEnvironment(step, field, node.text.slice(0, maxInputLength), environment),
    );
    const lines = text.split('\n').map((line) => versionOfInput(line.trim()));
    for (const version of new Set(lines.filter((line) => line !== ''))) {
      if (result.facts.length > maxFactsPerFile) return;
      const software = tool.includes('/') ? { repository: tool, tool: null } : { repository: null, tool };
      result.facts.push({
        extractor: 'github_actions',
        place: locateNode(document, node, names, `uses ${action} ${input}`),
        // Setup actions treat the version as a range: they install the highest version that starts with these
        // numbers.
        ...softwareFact(software, version, 'chart'),
        ...(/^lts/i.test(version) && { version, state: 'floating' as const, reason: 'floating' as const }),
        note: noteOf(node.text, text),
      });
    }
  }
}

/** Says that a workflow can set another value than the default of a composite action's input. */
function noteOf(written: string, text: string): string | null {
  if (text === written) return null;
  const isDefault = /\$\{\{\s*inputs\./.test(written);
  return `${isDefault ? 'default value' : 'value'} of ${written.slice(0, 100)}`;
}

/**
 * Returns the version in a line of an input. Docker's actions have a list such as `type=archive,version=v28.5.2`, which
 * is empty without a version, and Python's tools have the operators of pip.
 */
function versionOfInput(line: string): string {
  if (!/^[a-z]{1,20}=/.test(line)) return line.replace(/^={2,3}(?=v?\d)/, '');
  const found = line.split(',').find((part) => part.startsWith('version='));
  return found?.slice('version='.length).trim() ?? '';
}

/**
 * Returns the tool that an action installs, if its input `version` is a complete version or a range of versions. Other values of
 * this input can have any meaning, such as the release that the action creates.
 */
function toolByName(action: string, inputs: DocumentTree): Record<string, string> {
  const version = textAt(inputs, 'version');
  const tool = version !== null && completeVersion.test(version) ? toolOfAction(action) : null;
  return tool === null || /release|publish|deploy|tag|bump|changelog|docker/i.test(action)
    ? {}
    : { version: tool };
}

const completeVersion = /^(?:v?\d+\.\d+\.\d+|(?:={2,3}|~=|>=|~|\^)[ ]?v?\d+(?:\.\d+){0,3})$/;

/** Adds another repository that a step checks out at a fixed ref. */
function readCheckout(
  document: ReadDocument,
  action: string,
  inputs: DocumentTree,
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'>,
  result: Extracted,
): void {
  const [repository, ref] = [textAt(inputs, 'repository'), treeAt(inputs, 'ref')];
  if (action.toLowerCase() !== 'actions/checkout' || repository === null || ref?.kind !== 'scalar') return;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || ref.text === '' || isTemplated(ref.text)) return;
  result.facts.push({
    extractor: 'github_actions',
    place: locateNode(document, ref, names, `uses ${action} ${repository}`),
    ...softwareFact({ repository, tool: null }, ref.text, 'ref'),
    note: null,
  });
}

/** Maximum number of inputs of a step that are read. Real steps have up to about 30. */
const maxInputs = 200;

/**
 * Returns the inputs with the version of a tool in the catalog, such as `terragrunt_version` of a reusable
 * workflow.
 */
function toolInputs(inputs: DocumentTree & { kind: 'map' }): Record<string, string> {
  const found: Record<string, string> = {};
  let left = maxInputs;
  for (const [input] of inputs.entries()) {
    if (left-- <= 0) break;
    const tool =
      input.length > 100 ? undefined : /^([a-z][a-z0-9-]*)[-_]version$/i.exec(input)?.[1]?.toLowerCase();
    if (tool !== undefined && toolNames.has(tool)) found[input] = tool;
  }
  return found;
}

const toolNames: ReadonlySet<string> = new Set(knownSources.map(({ name }) => name.toLowerCase()));

/** Replaces `${{ env.NAME }}` with the value that the step, its job, or the workflow sets. */
function withEnvironment(step: DocumentTree, field: string, text: string, environment: Environment): string {
  const job = /^jobs\.([^.]+)\./.exec(field)?.[1] ?? null;
  const replaced = text.replaceAll(/\$\{\{\s*env\.(\w+)\s*\}\}/g, (written, name: string) => {
    const value =
      textAt(step, 'env', name) ?? environment.of(job).get(name) ?? environment.of(null).get(name);
    if (value !== undefined) environment.used.add(name);
    // Truncate the value, because many steps can repeat a long one.
    return value?.slice(0, maxInputLength) ?? written;
  });
  return replaced.slice(0, maxInputLength);
}

/**
 * Variables of a workflow and its jobs. Each `env` is read only once, because many steps can use a large one.
 */
interface Environment {
  /**
   * Returns the variables of a job or of the workflow.
   *
   * @param job Name of the job, or `null` for the workflow.
   */
  of(job: string | null): ReadonlyMap<string, string>;
  /** Replaces `${{ inputs.NAME }}` with the default that a composite action declares for this input. */
  withInputs(text: string): string;
  readonly used: Set<string>;
}

function environmentOf(tree: DocumentTree): Environment {
  const read = new Map<string | null, ReadonlyMap<string, string>>();
  const isComposite = textAt(tree, 'runs', 'using') === 'composite';
  return {
    of(job) {
      let values = read.get(job);
      if (values === undefined) {
        const env = job === null ? treeAt(tree, 'env') : treeAt(tree, 'jobs', job, 'env');
        const entries = env?.kind === 'map' ? [...env.entries()] : [];
        values = new Map(
          entries.flatMap(([name, node]) => (node.kind === 'scalar' ? [[name, node.text] as const] : [])),
        );
        read.set(job, values);
      }
      return values;
    },
    withInputs(text) {
      if (!isComposite) return text;
      const replaced = text.replaceAll(/\$\{\{\s*inputs\.([\w-]+)\s*\}\}/g, (written, name: string) => {
        const value = textAt(tree, 'inputs', name, 'default');
        return value === null || value === '' ? written : value.slice(0, maxInputLength);
      });
      return replaced.slice(0, maxInputLength);
    },
    used: new Set(),
  };
}

/** Maximum number of characters before a value that are searched for a comment above it. */
const maxLookBehind = 1_000;

/** Reads a variable with a Renovate comment above it. Returns `null` if there's no such comment. */
function readCommented(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  name: string,
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'>,
): Fact | null {
  if (node.offset === undefined) return null;
  // Limit the search, because a line can be very long and contain many variables.
  const before = document.text.slice(Math.max(0, node.offset - maxLookBehind), node.offset);
  const above = before.split('\n').at(-2) ?? '';
  const comment = readRenovateComment(above);
  const found = comment && comment.before.trim() === '' && commentedFact(comment, node.text);
  if (!found) return null;
  return {
    extractor: 'github_actions',
    place: locateNode(document, node, names, `env ${name}`),
    ...found,
    note: null,
  };
}

function isImageField(field: string): boolean {
  return /^jobs\.[^.]+\.container(?:\.image)?$|^jobs\.[^.]+\.services\.[^.]+\.image$|^runs\.image$/.test(
    field,
  );
}

function readUses(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'>,
): Fact | null {
  const text = node.text.trim();
  const place = (name: string) => locateNode(document, node, names, `uses ${name}`);
  if (text.startsWith('docker://')) {
    const image = readWrittenImage(text);
    return image && { extractor: 'github_actions', place: place(image.artifact.name), ...image };
  }
  const at = text.lastIndexOf('@');
  const [target, ref] = at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  const base = { extractor: 'github_actions' as const, place: place(target), digest: null };
  if (/^\.{0,2}\//.test(target) || !target.includes('/'))
    return {
      ...base,
      artifact: {
        kind: 'action',
        name: target,
      },
      origin: { type: 'local' },
      version: null,
      state: 'floating',
      reason: 'local',
      note: null,
    };
  const address = /^(https?:\/\/[^/]+)\/(.+)$/.exec(target);
  const [owner = '', repository = ''] = (address ? address[2]! : target).split('/');
  const name = `${owner}/${repository}`;
  const read = readVersion(ref, 'ref');
  const comment = read.state === 'commit' ? versionComment(document, node) : null;
  const url = `${address ? address[1] : 'https://github.com'}/${name}`;
  return {
    ...base,
    artifact: { kind: 'action', name: address ? `${address[1]!.replace(/^https?:\/\//, '')}/${name}` : name },
    origin: isTemplated(url) ? { type: 'unknown' } : { type: 'git', url },
    ...(comment === null ? read : readVersion(comment, 'ref')),
    digest: read.state === 'commit' ? ref : null,
    note: comment === null ? null : 'version from the comment after the commit',
  };
}
