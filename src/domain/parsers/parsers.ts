import { jqParser } from './jq-parser.ts';
import { manualParser } from './manual-parser.ts';
import { regexParser } from './regex-parser.ts';
import { sbomParser } from './sbom-parser.ts';
import type { ParserType, VersionParser } from './version-parser.ts';
import { yqParser } from './yq-parser.ts';

/** All parsers. */
export const parsers = {
  yq: yqParser,
  jq: jqParser,
  regex: regexParser,
  sbom: sbomParser,
  manual: manualParser,
} satisfies Record<ParserType, VersionParser>;
