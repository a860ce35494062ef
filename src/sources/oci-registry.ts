import { splitOciReference } from '../domain/artifacts/oci-reference.ts';
import { createNewReleaseCollector } from './collect-new.ts';
import { emptyListSummary } from './empty-list.ts';
import { rememberedTags, selectArtifactType } from './oci-artifact-types.ts';
import { type ArtifactType, maxRequestedTags, readOciDates } from './oci-dates.ts';
import { readOciDigests } from './oci-digests.ts';
import { createOciRequests } from './oci-requests.ts';
import { createTagPages } from './oci-tag-pages.ts';
import type { HighestTags, OciTags } from './read-oci-tags.ts';
import type { ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import { emptyBody } from './source-body.ts';
import type { SourceResponse } from './source-http.ts';

/** Maximum number of tags. The largest public lists are about this long. */
const maxTags = 200_000;

/** Reads the tags of an image or a Helm chart with the OCI distribution API, which all registries support. */
export const ociRegistry: ReleaseSource = {
  sourceType: 'oci_registry',

  checkOptions({ artifact_type: type }) {
    if (type === undefined || type === 'image' || type === 'chart') return [];
    return [{ option: 'artifact_type', message: 'must be image or chart' }];
  },

  sharedRequestKey: ({ artifactName }) => `oci_registry ${artifactName}`,

  async *gather(request, { http, read, signal }) {
    const reference = splitOciReference(request.artifactName);
    const requests = createOciRequests(http, read, reference);
    const { knownTags, isFull, readsDigests = false, undatedTags = [] } = request;
    const { artifact_type: type } = request.sourceOptions;
    const isOneType = type !== undefined;
    const what = `the tags of ${reference.path}`;
    const skipped = createSkippedItems();
    const releases = createNewReleaseCollector();
    const pages = createTagPages(requests, read, { isFull, knownCount: knownTags.length, what });
    let highest: HighestTags = { plain: [], others: [] };
    const remembered = type === undefined ? undefined : rememberedTags(type, { http, reference });
    const evicted = { plain: 0, others: 0 };
    let otherTypes = 0;
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
          read(
            'oci_tags',
            {
              ...origin,
              highest,
              knownTags,
              maxTags: maxTags - count,
              isOneType,
              ...(remembered && { remembered }),
            },
            answer.body,
          ),
        );
      } catch (error) {
        answer = await pages.replace(error);
        if (answer === null && !pages.end().isCut) throw error;
        continue;
      }
      highest = page.highest;
      count += page.tags;
      otherTypes += page.otherTypes;
      evicted.plain += page.unchecked.plain;
      evicted.others += page.unchecked.others;
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
    let unchecked = evicted.plain + evicted.others;
    let isAtTop = true;
    if (type !== undefined) {
      const selected = await selectArtifactType(type, highest, details);
      highest = selected.highest;
      otherTypes += selected.others;
      unchecked += selected.unchecked;
      // Evicted tags are lower than the highest ones. But if none of the highest tags has the selected kind, evicted
      // tags can be higher than all tags of that kind.
      isAtTop =
        selected.isAtTop &&
        (['plain', 'others'] as const).every(
          (list) => evicted[list] === 0 || selected.highest[list].length > 0,
        );
    }
    const top = { plain: highest.plain.slice(0, maxRequestedTags), others: highest.others };
    const dated = await readOciDates(top, details);
    const digests = readsDigests ? await readOciDigests(top, dated.digests, details) : null;
    const below = highest.plain.slice(maxRequestedTags).map((tag) => ({ tag, date: null }));
    const tags = [...dated.tags, ...below].map((each) => ({
      ...each,
      digest: digests?.get(each.tag) ?? null,
    }));
    yield* releases.take(read('dated_tags', { tags }, emptyBody));
    yield* releases.rest();
    // If the list is unchanged but missing dates were found, the run has releases to submit.
    const isUnchanged = isNotModified && tags.length === 0;
    return {
      isNotModified: isUnchanged,
      isCompleteList: !isNotModified && !isCut && !list.isUnchecked && unchecked === 0,
      ...(isCut || (unchecked > 0 && !isAtTop)
        ? { listCut: 'anywhere' as const }
        : unchecked > 0 && { listCut: 'oldest' as const }),
      validators: isNotModified
        ? (first.validators ?? request.validators)
        : // The validators of the first page don't cover changes on other pages, so a list with several pages
          // has none.
          list.isOnePage && !isCut && !list.isUnchecked && unchecked === 0
          ? first.validators
          : null,
      found: count - unchecked - otherTypes,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      project: dated.project,
      ...(dated.isDeprecated !== null && { isDeprecated: dated.isDeprecated }),
      warnings: [
        ...(!isNotModified && count === 0 && skipped.count() === 0
          ? [`The repository ${reference.path} has no tags.`]
          : []),
        ...(type !== undefined && count > 0 && otherTypes === count
          ? [`The repository ${reference.path} has no tags of type ${type}.`]
          : []),
        ...(unchecked > 0
          ? [
              `The type of ${unchecked.toLocaleString('en-US')} tags isn't known yet. They are excluded until a later run reads their manifests.`,
            ]
          : []),
        ...mixedTypes(dated.examples),
        ...(hasTooManyTags ? [`Only the first ${maxTags.toLocaleString('en-US')} tags were read.`] : []),
        ...(list.isCut
          ? [
              `Only ${count.toLocaleString('en-US')} tags were read, because ${new URL(first.url).host} doesn't return the next page of its list. Newer releases might be missing.`,
            ]
          : []),
      ],
      ...(!isNotModified && emptyListSummary(request, count)),
    };
  },
};

/** Returns a warning if new tags are of several kinds, which must not be compared with each other. */
function mixedTypes(examples: ReadonlyMap<ArtifactType, string>): string[] {
  const [image, chart] = [examples.get('image'), examples.get('chart')];
  if (image === undefined || chart === undefined) return [];
  return [
    `The repository contains images (${image}) and Helm charts (${chart}). To compare only one of them, set artifact_type in source_options.`,
  ];
}
