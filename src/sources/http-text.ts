import { createNewReleaseCollector } from './collect-new.ts';
import { checkTextOptions } from './json-options.ts';
import type { TextVersions } from './read-text-versions.ts';
import type { ReleaseSource } from './release-source.ts';

/** Maximum size of the text. Directory listings of large projects are smaller than a megabyte. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Reads versions from any URL that returns text, such as a file with the latest version or a directory listing. */
export const httpText: ReleaseSource = {
  sourceType: 'http_text',

  checkOptions: checkTextOptions,

  sharedRequestKey: ({ artifactName }) => `http_text ${artifactName.replace(/^https?:\/\//u, '')}`,

  async *gather(request, { http, read }) {
    const host = URL.canParse(request.artifactName) ? new URL(request.artifactName).host : 'the address';
    const what = 'the document';
    const answer = await http.get(request.artifactName, {
      what,
      accept: 'text/plain, */*;q=0.8',
      maxBytes: maxBodyBytes,
      validators: request.validators,
    });
    const isNotModified = answer.status === 304;
    const releases = createNewReleaseCollector();
    const found = isNotModified
      ? nothing
      : yield* releases.take(
          read(
            'text_versions',
            { host, what, pattern: request.sourceOptions.version_regex ?? null },
            answer.body,
          ),
        );
    yield* releases.rest();
    const isCut = found.isCut || found.hasLongLine;
    return {
      isNotModified,
      // The document contains the latest version, the latest version of each channel, or the newest versions.
      // It never shows that earlier versions were removed.
      isCompleteList: false,
      ...(!isNotModified && { listCut: isCut ? ('anywhere' as const) : ('oldest' as const) }),
      validators: answer.validators ?? (isNotModified ? request.validators : null),
      found: found.found,
      skipped: found.skipped.count,
      skippedExamples: found.skipped.examples,
      warnings: [
        ...(found.isCut ? ['The document has too many versions, so only the first ones were read.'] : []),
        ...(isCut && !found.isCut
          ? ['Some lines are too long to be read, so releases might be missing.']
          : []),
      ],
    };
  },
};

const nothing: TextVersions = {
  found: 0,
  skipped: { count: 0, examples: [] },
  isCut: false,
  hasLongLine: false,
};
