import { RunError } from '../platform/errors.ts';
import { createPartCollector } from './collect-parts.ts';
import { parseJsonBody } from './json-body.ts';
import { readOciDates } from './oci-dates.ts';
import { normalizeOciReference, splitOciReference } from './oci-reference.ts';
import { createOciRequests } from './oci-requests.ts';
import { nextLink } from './paged-releases.ts';
import { readMember, readTag } from './release-fields.ts';
import type { GatheredRelease, ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceAnswer } from './source-http.ts';
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
    const tags = new Set<string>();
    const visited = new Set<string>();
    let isCut = false;
    let pages = 1;
    const accept = 'application/json';
    const first = await requests.get(`tags/list?n=${pageSize}`, {
      accept,
      maxBytes: maxPageBytes,
      validators: request.isFull ? null : request.validators,
    });
    const isNotModified = first.status === 304;
    for (let answer = first; !isNotModified; pages += 1) {
      visited.add(answer.url);
      const before = tags.size;
      isCut = addTags(answer, reference.path, tags, skipped.skip);
      const link = nextLink(answer);
      const next = link === null || !URL.canParse(link, answer.url) ? null : new URL(link, answer.url).href;
      // A list that brings nothing new, or leads back, has come to its end.
      if (next === null || isCut || tags.size === before || visited.has(next)) break;
      if (pages >= maxPages) isCut = true;
      if (isCut) break;
      answer = await requests.get(link ?? '', { accept, maxBytes: maxPageBytes, from: answer });
    }
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
