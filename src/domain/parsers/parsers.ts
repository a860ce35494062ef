import { jqParser } from './jq-parser.ts';
import { manualParser } from './manual-parser.ts';
import { regexParser } from './regex-parser.ts';
import type { ParserType, VersionParser } from './version-parser.ts';
import { yqParser } from './yq-parser.ts';

/** Every parser, in the order in which they are offered. A new one is one file and one line here. */
export const parsers = {
  yq: yqParser,
  jq: jqParser,
  regex: regexParser,
  manual: manualParser,
} satisfies Record<ParserType, VersionParser>;
