import { normalizeOciReference, splitOciReference } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../platform/errors.ts';
import { createPartCollector } from './collect-parts.ts';
import { parseJsonBody } from './json-body.ts';
import { readOciDates } from './oci-dates.ts';
import { createOciRequests } from './oci-requests.ts';
import { nextLink } from './paged-releases.ts';
import { readMember, readTag } from './release-fields.ts';
import type { GatheredRelease, GatherRequest, ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceAnswer, SourceHead } from './source-http.ts';
import { unknownOptions } from './unknown-options.ts';

/** Asked for; registries give fewer where they like, and some all at once. */
const pageSize = 1_000;
/** The largest public lists have some 200,000 tags. */
const maxTags = 200_000;
const maxPages = 2_100;
/** 200,000 tags of the greatest length. */
const maxPageBytes = 32 * 1024 * 1024;

/** Tags of an image or a Helm chart in a registry, by the distribution API that all registries speak. */
export const ociRegistry: ReleaseSource = {
  sourceType: 'oci_registry',
  defaultVersionScheme: 'auto',

  normalizeArtifactName: normalizeOciReference,

  checkOptions: (sourceOptions) => unknownOptions(sourceOptions, [], 'oci_registry'),

  sharedRequestKey: ({ artifactName }) => `oci_registry ${artifactName}`,

  async *gather(request, { http, signal }) {
    const reference = splitOciReference(request.artifactName);
    const requests = createOciRequests(http, reference);
    const skipped = createSkippedItems();
    const { tags, first, pages, isCut } = await readTags(
      requests,
      reference.path,
      request.isFull ? null : request.validators,
      skipped.skip,
    );
    const isNotModified = first.status === 304;
    const dates = await readOciDates(tags, {
      knownTags: request.knownTags,
      reference,
      requests,
      http,
      listed: first,
      signal,
    });
    const parts = createPartCollector<GatheredRelease>();
    for (const tag of tags) {
      const full = parts.add(toRelease(tag, dates.get(tag) ?? null));
      if (full) yield { releases: full };
    }
    const rest = parts.rest();
    if (rest.length > 0) yield { releases: rest };
    // The first page says nothing of what is new on the others.
    const isOnePage = pages === 1 && tags.size < pageSize;
    return {
      isNotModified,
      isCompleteList: !isNotModified && !isCut,
      validators: isNotModified
        ? (first.validators ?? request.validators)
        : isOnePage
          ? first.validators
          : null,
      found: tags.size,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      warnings: [
        ...(!isNotModified && tags.size === 0 && skipped.count() === 0
          ? [`The repository ${reference.path} has no tags.`]
          : []),
        ...(isCut ? [`The list has more than ${maxTags} tags; the rest was not read.`] : []),
      ],
    };
  },
};

interface TagList {
  tags: Set<string>;
  /** The answer with the first page, without its body: that may be large, and is not needed any more. */
  first: SourceHead;
  pages: number;
  isCut: boolean;
}

async function readTags(
  requests: ReturnType<typeof createOciRequests>,
  path: string,
  validators: GatherRequest['validators'],
  skip: (name: string, reason: string) => void,
): Promise<TagList> {
  const accept = 'application/json';
  const tags = new Set<string>();
  const visited = new Set<string>();
  let answer = await requests.get(`tags/list?n=${pageSize}`, { accept, maxBytes: maxPageBytes, validators });
  const { body: _body, ...first } = answer;
  if (first.status === 304) return { tags, first, pages: 1, isCut: false };
  for (let pages = 1; ; pages += 1) {
    visited.add(answer.url);
    const before = tags.size;
    const isCut = addTags(answer, path, tags, skip);
    const link = nextLink(answer);
    const next = link === null || !URL.canParse(link, answer.url) ? null : new URL(link, answer.url).href;
    // A list that brings nothing new, or leads back, has come to its end.
    const isEnd = next === null || tags.size === before || visited.has(next);
    if (isEnd || isCut || pages >= maxPages) return { tags, first, pages, isCut: isCut || !isEnd };
    answer = await requests.get(link ?? '', { accept, maxBytes: maxPageBytes, from: answer });
  }
}

/** Whether there were more than may be. */
function addTags(
  answer: SourceAnswer,
  path: string,
  tags: Set<string>,
  skip: (name: string, reason: string) => void,
): boolean {
  const body = parseJsonBody(answer, { what: `the tags of ${path}` });
  const listed = readMember(body, 'tags');
  // `null` is how registries say that all tags were deleted.
  if (!Array.isArray(listed) && (listed !== null || typeof readMember(body, 'name') !== 'string')) {
    throw new RunError(
      'invalid_index',
      `${new URL(answer.url).host} answered with something that is no list of tags when asked for ${path}. Check that the address is that of a registry.`,
    );
  }
  for (const entry of (listed ?? []) as readonly unknown[]) {
    const tag = readTag(entry);
    if (tag === null || !/^\w[\w.-]{0,127}$/u.test(tag))
      skip(typeof entry === 'string' ? entry : '', 'it is no tag of a registry');
    else if (/^sha(?:256|512)-[0-9a-f]{64,128}(?:\.|$)/u.test(tag))
      skip(tag, 'it belongs to another image, as signatures do');
    else if (tags.size >= maxTags && !tags.has(tag)) return true;
    else tags.add(tag);
  }
  return false;
}

function toRelease(tag: string, date: string | null): GatheredRelease {
  return {
    tag,
    app_version: null,
    released_at: date,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  };
}
