import { jqParser } from './jq-parser.ts';
import { manualParser } from './manual-parser.ts';
import { regexParser } from './regex-parser.ts';
import { sbomParser } from './sbom-parser.ts';
import type { ParserType, VersionParser } from './version-parser.ts';
import { yqParser } from './yq-parser.ts';

/**
 * All parsers, in the order in which the UI lists them. Adding a parser takes one new file and one line here.
 */
export const parsers = {
  yq: yqParser,
  jq: jqParser,
  regex: regexParser,
  sbom: sbomParser,
  manual: manualParser,
} satisfies Record<ParserType, VersionParser>;
