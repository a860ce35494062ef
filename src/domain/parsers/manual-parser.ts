import { acceptVersion } from './accept-version.ts';
import type { VersionParser } from './version-parser.ts';

/** The content is the version that somebody typed. */
export const manualParser: VersionParser = {
  id: 'manual',
  description: 'The version is set by hand or by a pipeline; no repository, no file, no expression.',
  readsFile: false,

  checkExpression(expression) {
    if (expression === '') return { ok: true };
    return {
      ok: false,
      message: 'a manual job has no expression: its version is set by hand',
      position: null,
    };
  },

  parse(content) {
    return acceptVersion(content, 'version');
  },
};
