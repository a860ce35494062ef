import type { LinkedFact, LinkOf } from './link-facts.ts';
import { push } from './push.ts';
import { readWrittenImage } from './read-image.ts';
import { createPathExpander, resolvePath } from './repository-path.ts';
import { substituteVariables } from './substitute-variables.ts';

/** Maximum number of files of one pipeline. Real pipelines have fewer than a hundred. */
const maxFiles = 1_000;

/**
 * Maximum number of variables that one scan visits. A variable counts each time it is visited. Real scans
 * need a few thousand.
 */
const maxVisited = 2_000_000;

/** Maximum length of a chain of variables that refer to each other. */
const maxChain = 3;

interface Variables {
  values: ReadonlyMap<string, string>;
  /** Variables with several values, of which nothing shows which one applies. */
  ambiguous: ReadonlySet<string>;
}

/**
 * Replaces the variables in images of GitLab jobs with the global variables of their pipeline. A pipeline merges the
 * files that it includes, so the variables can be in a file that includes the job's file, or in another file that the
 * pipeline includes. Such a file can also set a variable of the job's file to another value.
 */
export function linkGitlabVariables(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: LinkOf<'gitlab_pipeline'>]>,
): void {
  const open = facts.filter(
    ({ extractor, expression, artifact }) =>
      extractor === 'gitlab_ci' && expression !== undefined && artifact.kind === 'image',
  );
  if (open.length === 0) return;
  const pipeline = readPipeline(links, facts);
  for (const fact of open) {
    const { values, ambiguous } = pipeline.variablesOf(fact.file);
    let text = fact.expression!;
    let isAmbiguous = false;
    for (let depth = 0; depth < maxChain; depth++)
      ({ text } = substituteVariables(text, (name) => {
        isAmbiguous ||= ambiguous.has(name);
        return values.get(name);
      }));
    const isResolvedInFile = fact.state !== 'templated';
    if (isResolvedInFile && isAmbiguous) text = fact.expression!;
    else if (text === fact.expression) continue;
    const image = readWrittenImage(text);
    if (!image || image.reason === 'invalid') continue;
    // The file resolves variables with any value, the pipeline only those that can be part of an image.
    if (isResolvedInFile && !isAmbiguous && image.state === 'templated') continue;
    const isSame = image.artifact.name === fact.artifact.name && image.version === fact.version;
    if (isSame && image.digest === fact.digest) continue;
    Object.assign(fact, image, { isOriginCertain: image.isOriginGuessed !== true });
    fact.note = isAmbiguous
      ? 'files of the pipeline set different values'
      : (image.note ?? `value of ${fact.expression!.slice(0, 100)}`);
  }
}

interface Definition {
  path: string;
  value: string;
}

function readPipeline(
  links: Iterable<readonly [path: string, link: LinkOf<'gitlab_pipeline'>]>,
  facts: readonly LinkedFact[],
) {
  const own = new Map<string, [name: string, value: string][]>();
  const written: [path: string, link: LinkOf<'gitlab_pipeline'>][] = [];
  for (const [path, link] of links) {
    const known = own.get(path);
    if (known) known.push(...link.variables);
    else own.set(path, [...link.variables]);
    written.push([path, link]);
  }
  const expand = createPathExpander([...new Set([...own.keys(), ...facts.map(({ file }) => file)])]);
  const targetsOf = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const resolved = resolvePath('', path);
      return resolved === null ? [] : expand(resolved);
    });
  const included = new Map<string, Set<string>>();
  const parents = new Map<string, Set<string>>();
  for (const [path, { includes, triggers }] of written) {
    for (const target of targetsOf(includes)) {
      addTo(included, path, target);
      addTo(parents, target, path);
    }
    // A child pipeline gets the variables of its parent, but isn't merged with the parent's other files.
    for (const target of targetsOf(triggers)) addTo(parents, target, path);
  }
  let left = maxVisited;
  const knownAncestors = new Map<string, ReadonlySet<string>>();
  const ancestorsOf = (path: string) => {
    const known = knownAncestors.get(path) ?? new Set(reachableFiles([path], parents));
    if (!knownAncestors.has(path)) left -= known.size;
    knownAncestors.set(path, known);
    return known;
  };
  const resolve = (paths: readonly string[]): Variables => {
    const definitions = new Map<string, Definition[]>();
    for (const path of paths)
      for (const [name, value] of own.get(path) ?? []) {
        left--;
        push(definitions, name, { path, value });
      }
    const values = new Map<string, string>();
    const ambiguous = new Set<string>();
    for (const [name, all] of definitions) {
      const defining = new Set(all.map(({ path }) => path));
      const isOverridden = ({ path }: Definition) => {
        if (defining.size === 1) return false;
        const above = ancestorsOf(path);
        left -= above.size;
        return [...above].some((other) => defining.has(other) && !ancestorsOf(other).has(path));
      };
      const found = new Set(all.flatMap((each) => (isOverridden(each) ? [] : each.value)));
      const [value] = found;
      if (found.size === 1) values.set(name, value!);
      else ambiguous.add(name);
      if (left <= 0) return nothing;
    }
    return { values, ambiguous };
  };
  const known = new Map<string, Variables>();
  return {
    /**
     * Returns the variables of the pipelines that contain a file. A file overrides the variables of the files
     * that it includes. A variable is ambiguous if it has different values in files that can be merged in any order, or
     * that belong to different pipelines.
     */
    variablesOf(file: string): Variables {
      // Files that the same files include belong to the same pipelines.
      const including = [...(parents.get(file) ?? [])];
      const isMerged = including.length > 0 && including.every((path) => included.get(path)?.has(file));
      const key = JSON.stringify(isMerged ? [including.toSorted()] : file);
      const cached = known.get(key);
      if (cached) return cached;
      const paths = reachableFiles(reachableFiles(isMerged ? including : [file], parents), included);
      const variables = resolve(paths);
      known.set(key, variables);
      return variables;
    },
  };
}

const nothing: Variables = { values: new Map(), ambiguous: new Set() };

/** Returns the given files, and then the files that can be reached from them, nearest first. */
function reachableFiles(start: readonly string[], edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found = new Set(start);
  for (const path of found) {
    if (found.size >= maxFiles) break;
    for (const next of edges.get(path) ?? []) found.add(next);
  }
  return [...found];
}

function addTo(edges: Map<string, Set<string>>, from: string, to: string): void {
  const targets = edges.get(from) ?? new Set();
  edges.set(from, targets.add(to));
}
