import type { ForgeKind } from '../domain/artifacts/forges.ts';
import type { ListedRepository } from '../domain/discovery/repository-group.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { readDate, readField } from './release-fields.ts';

export interface RepositoryListInput extends BodyOrigin {
  forge: ForgeKind;
  /** True if the body is a single repository instead of a list. */
  isSingle?: boolean;
}

export interface RepositoryListPage {
  /** Number of entries on the page, including those that couldn't be read. */
  entries: number;
}

/** Maximum length of a name in the API. */
const maxPathLength = 200;
const maxTopics = 50;
const maxTopicLength = 100;
const partSize = 500;

/** Reads one page of the repositories of an organization or group. Entries without an ID or a path are excluded. */
export async function* readRepositoryList(
  { forge, isSingle = false, ...origin }: RepositoryListInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ListedRepository[], RepositoryListPage, undefined> {
  const json = await readJson(body, { ...origin }, { advice: 'Check the URL and the forge.' });
  const entries = isSingle ? [json] : json;
  if (!Array.isArray(entries))
    throw new RunError(
      'invalid_index',
      `${origin.host} didn't return a list of repositories for ${origin.what}. Check the URL and the forge.`,
    );
  const repositories = entries.flatMap((entry) => readRepository(entry, forge) ?? []);
  for (let from = 0; from < repositories.length; from += partSize)
    yield repositories.slice(from, from + partSize);
  return { entries: entries.length };
}

function readRepository(entry: unknown, forge: ForgeKind): ListedRepository | null {
  const isGitlab = forge === 'gitlab';
  const id = readField(entry, 'id');
  const path = readField(entry, isGitlab ? 'path_with_namespace' : 'full_name');
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  if (typeof path !== 'string' || path.length > maxPathLength || !isRepositoryPath(path)) return null;
  const pushedAt = { github: 'pushed_at', gitlab: 'last_activity_at', gitea: 'updated_at' }[forge];
  const topics = readField(entry, 'topics') ?? (isGitlab ? readField(entry, 'tag_list') : undefined);
  const language = readField(entry, 'language');
  return {
    forge_id: String(id),
    path,
    pushed_at: readDate(readField(entry, pushedAt)),
    is_archived: readField(entry, 'archived') === true,
    is_fork: isGitlab
      ? (readField(entry, 'forked_from_project') ?? null) !== null
      : readField(entry, 'fork') === true,
    is_empty: readField(entry, isGitlab ? 'empty_repo' : 'empty') === true,
    topics: Array.isArray(topics) ? readTopics(topics) : null,
    language:
      typeof language === 'string' && language.length <= maxTopicLength ? language.toWellFormed() : null,
  };
}

/** True if the path consists of names without characters that have a special meaning in a URL. */
function isRepositoryPath(path: string): boolean {
  const segments = path.split('/');
  return (
    segments.length >= 2 &&
    segments.every((segment) => /^[\w.+-]+$/u.test(segment) && !/^\.+$/u.test(segment))
  );
}

function readTopics(topics: readonly unknown[]): string[] {
  return topics
    .filter((topic) => typeof topic === 'string')
    .filter((topic) => topic.length <= maxTopicLength && topic.isWellFormed() && !/\p{Cc}/u.test(topic))
    .slice(0, maxTopics);
}
