import { splitOciReference } from '../domain/artifacts/oci-reference.ts';
import { createNewReleases } from './collect-new.ts';
import { readOciDates } from './oci-dates.ts';
import { readOciDigests } from './oci-digests.ts';
import { createOciRequests } from './oci-requests.ts';
import { nextLink } from './paged-releases.ts';
import type { HighestTags, OciTags } from './read-oci-tags.ts';
import type { ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import { noBody } from './source-body.ts';
import { createTagSet } from './tag-set.ts';

/** Requested page size. Registries can return fewer tags, and some return all of them in one response. */
const pageSize = 1_000;
/** The largest public lists have about 200,000 tags. */
const maxTags = 200_000;
const maxPages = 2_100;
/** Fits 200,000 tags of the maximum length. */
const maxPageBytes = 32 * 1024 * 1024;

/** Reads the tags of an image or a Helm chart with the OCI distribution API, which all registries support. */
export const ociRegistry: ReleaseSource = {
  sourceType: 'oci_registry',

  sharedRequestKey: ({ artifactName }) => `oci_registry ${artifactName}`,

  async *gather(request, { http, read, signal }) {
    const reference = splitOciReference(request.artifactName);
    const requests = createOciRequests(http, read, reference);
    const skipped = createSkippedItems();
    const releases = createNewReleases();
    const accept = 'application/json';
    const visited = createTagSet();
    const seenPages = createTagSet();
    let highest: HighestTags = { plain: [], others: [] };
    let count = 0;
    let pages = 0;
    let isCut = false;

    let answer = await requests.get(`tags/list?n=${pageSize}`, {
      accept,
      maxBytes: maxPageBytes,
      validators: request.isFull ? null : request.validators,
    });
    const { body: _body, cost: _cost, ...first } = answer;
    visited.add(first.url);
    const isNotModified = first.status === 304;
    while (!isNotModified) {
      pages += 1;
      const origin = { host: new URL(answer.url).host, what: `the tags of ${reference.path}` };
      const page: OciTags = yield* releases.take(
        read('oci_tags', { ...origin, highest, maxTags: maxTags - count }, answer.body),
      );
      highest = page.highest;
      count += page.tags;
      skipped.add(page.skipped);
      const link = nextLink(answer);
      const next = link === null || !URL.canParse(link, answer.url) ? null : new URL(link, answer.url).href;
      // A page is the last one if it's empty, repeats an earlier page, or links to one.
      const isEmpty = page.tags === 0 && page.skipped.count === 0;
      const isEnd = next === null || isEmpty || !seenPages.add(page.key) || !visited.add(next);
      isCut = page.isCut || (!isEnd && pages >= maxPages);
      if (isEnd || isCut) break;
      answer = await requests.get(link ?? '', { accept, maxBytes: maxPageBytes, from: answer });
    }
    const { knownTags, isFull, readsDigests = false } = request;
    const details = {
      knownTags,
      isFull,
      readsDigests,
      reference,
      requests,
      http,
      read,
      listed: first,
      signal,
    };
    const dated = await readOciDates(highest, details);
    const digests = readsDigests ? await readOciDigests(highest, dated.digests, details) : null;
    const tags = dated.tags.map((each) => ({ ...each, digest: digests?.get(each.tag) ?? null }));
    yield* releases.take(read('dated_tags', { tags }, noBody));
    yield* releases.rest();
    // The validators of the first page don't cover changes on other pages.
    const isOnePage = pages === 1 && count < pageSize;
    return {
      isNotModified,
      isCompleteList: !isNotModified && !isCut,
      validators: isNotModified
        ? (first.validators ?? request.validators)
        : isOnePage
          ? first.validators
          : null,
      found: count,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      project: dated.project,
      warnings: [
        ...(!isNotModified && count === 0 && skipped.count() === 0
          ? [`The repository ${reference.path} has no tags.`]
          : []),
        ...(isCut ? [`Only the first ${maxTags} tags were read.`] : []),
      ],
    };
  },
};
