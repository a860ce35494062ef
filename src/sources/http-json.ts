import { createNewReleases } from './collect-new.ts';
import { checkJsonOptions } from './json-options.ts';
import type { JsonVersions } from './read-json-versions.ts';
import type { ReleaseSource } from './release-source.ts';

/**
 * Maximum body size. 8 MiB of ordinary JSON take about 60 MB in memory, and 8 MiB of `[{},…]` take 200 MB.
 */
const maxBodyBytes = 8 * 1024 * 1024;

/**
 * Reads versions from any URL that returns JSON. A path selects one string, a list of strings, or, with
 * `[*]`, a string in every item. For a map, it selects the keys. A second path selects dates, which are
 * matched with the versions of the same items.
 */
export const httpJson: ReleaseSource = {
  sourceType: 'http_json',

  checkOptions: checkJsonOptions,

  sharedRequestKey: ({ artifactName }) => `http_json ${artifactName.replace(/^https?:\/\//u, '')}`,

  async *gather(request, { http, read }) {
    const host = URL.canParse(request.artifactName) ? new URL(request.artifactName).host : 'the address';
    const what = 'the document';
    const answer = await http.get(request.artifactName, {
      what,
      accept: 'application/json, */*;q=0.8',
      maxBytes: maxBodyBytes,
      validators: request.validators,
    });
    const isNotModified = answer.status === 304;
    const releases = createNewReleases();
    const found = isNotModified
      ? nothing
      : yield* releases.take(
          read('json_versions', { host, what, sourceOptions: request.sourceOptions }, answer.body),
        );
    yield* releases.rest();
    return {
      isNotModified,
      isCompleteList: !isNotModified && !found.isCut,
      validators: answer.validators ?? (isNotModified ? request.validators : null),
      found: found.found,
      skipped: found.skipped.count,
      skippedExamples: found.skipped.examples,
      warnings: found.warnings,
    };
  },
};

const nothing: JsonVersions = { found: 0, skipped: { count: 0, examples: [] }, warnings: [], isCut: false };
