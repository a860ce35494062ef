import { acceptVersion } from './accept-version.ts';
import type { VersionParser } from './version-parser.ts';

/** Treats the entire content as a version that someone entered. */
export const manualParser: VersionParser = {
  id: 'manual',
  description: 'The version is set manually or by a pipeline.',
  readsFile: false,

  checkExpression(expression) {
    if (expression === '') return { ok: true };
    return {
      ok: false,
      message: "manual jobs don't use an expression",
      position: null,
    };
  },

  parse(content) {
    return acceptVersion(content, 'version');
  },
};
