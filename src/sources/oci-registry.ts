import { splitOciReference } from '../domain/artifacts/oci-reference.ts';
import { createNewReleases } from './collect-new.ts';
import { readOciDates } from './oci-dates.ts';
import { readOciDigests } from './oci-digests.ts';
import { createOciRequests } from './oci-requests.ts';
import { createTagPages } from './oci-tag-pages.ts';
import type { HighestTags, OciTags } from './read-oci-tags.ts';
import type { ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import { noBody } from './source-body.ts';
import type { SourceResponse } from './source-http.ts';

/** The largest public lists have about 200,000 tags. */
const maxTags = 200_000;

/** Reads the tags of an image or a Helm chart with the OCI distribution API, which all registries support. */
export const ociRegistry: ReleaseSource = {
  sourceType: 'oci_registry',

  sharedRequestKey: ({ artifactName }) => `oci_registry ${artifactName}`,

  async *gather(request, { http, read, signal }) {
    const reference = splitOciReference(request.artifactName);
    const requests = createOciRequests(http, read, reference);
    const { knownTags, isFull, readsDigests = false, undatedTags = [] } = request;
    const what = `the tags of ${reference.path}`;
    const skipped = createSkippedItems();
    const releases = createNewReleases();
    const pages = createTagPages(requests, read, { isFull, knownCount: knownTags.length, what });
    let highest: HighestTags = { plain: [], others: [] };
    let hasTooManyTags = false;

    const firstAnswer = await pages.first(isFull ? null : request.validators);
    const { body: _body, cost: _cost, ...first } = firstAnswer;
    const isNotModified = first.status === 304;
    let answer: SourceResponse | null = isNotModified ? null : firstAnswer;
    let count = 0;
    while (answer !== null) {
      const origin = { host: new URL(answer.url).host, what };
      let page: OciTags;
      try {
        page = yield* releases.take(
          read('oci_tags', { ...origin, highest, knownTags, maxTags: maxTags - count }, answer.body),
        );
      } catch (error) {
        answer = await pages.replace(error);
        if (answer === null && !pages.end().isCut) throw error;
        continue;
      }
      highest = page.highest;
      count += page.tags;
      skipped.add(page.skipped);
      hasTooManyTags = page.isCut;
      answer = hasTooManyTags ? null : await pages.next(answer, page);
    }
    const list = pages.end();
    const isCut = hasTooManyTags || list.isCut;
    const details = {
      knownTags,
      undatedTags,
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
    // A run of an unchanged list that found missing dates has releases to submit.
    const isUnchanged = isNotModified && tags.length === 0;
    return {
      isNotModified: isUnchanged,
      isCompleteList: !isNotModified && !isCut && !list.isUnchecked,
      ...(isCut && { listCut: 'anywhere' as const }),
      validators: isNotModified
        ? (first.validators ?? request.validators)
        : // The validators of the first page don't cover changes on other pages.
          list.isOnePage && !isCut && !list.isUnchecked
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
        ...(hasTooManyTags ? [`Only the first ${maxTags.toLocaleString('en-US')} tags were read.`] : []),
        ...(list.isCut
          ? [
              `Only ${count.toLocaleString('en-US')} tags were read, because ${new URL(first.url).host} doesn't return the next page of its list. Newer releases can be missing.`,
            ]
          : []),
      ],
    };
  },
};
