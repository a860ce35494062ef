/** Maximum number of variables of one file that are compared. Real files have up to a few hundred. */
const maxVariables = 2_000;

/**
 * Matches a variable that contains the URL of a repository. The group is the prefix that the variable with
 * the version also has.
 */
export const repositoryVariable = /^(\w{1,80}?)_(?:git_?)?(?:repo|repository|src|source|git)(?:_?url)?$/i;

const suffixes = ['version', 'ref', 'tag', 'revision', 'commit', 'branch'];

/**
 * Yields repositories whose URL is in one variable and whose version is in another, such as `tool_repo` with
 * `tool_repo_version` or `tool_version`.
 */
export function* repositoryVariables(
  values: ReadonlyMap<string, string>,
): Generator<{ version: string; url: string }, void> {
  if (values.size > maxVariables) return;
  for (const [name, text] of values) {
    const stem = repositoryVariable.exec(name)?.[1];
    if (stem === undefined || !isRepository(text)) continue;
    const names = [name, stem].flatMap((start) => suffixes.map((end) => `${start}_${end}`));
    const version = names.find((each) => (values.get(each) ?? '') !== '');
    if (version !== undefined) yield { version, url: text };
  }
}

function isRepository(text: string): boolean {
  return (
    text.length <= 300 &&
    (/^(?:https?:\/\/|ssh:\/\/|git@)[^\s{}]+\.git$/.test(text) ||
      /^https?:\/\/(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\/[\w.-]+\/[\w.-]+\/?$/.test(text))
  );
}
