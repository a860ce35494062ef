import type { Schemas } from '../../../../src/generated/client-api.ts';

type Source = Schemas['ScrapeSource'];
export type TrackedParser = Exclude<Schemas['ParserType'], 'manual'>;

/** Tracker fields for the location of the version. */
export interface TrackerValues {
  source: Source;
  url: string;
  query: string;
  label: string;
  series: Record<string, string>;
  parser_type: Schemas['ScrapeJobParserType'];
  repository_url: string;
  ref: string;
  target_file: string;
  parse_expression: string;
  version_transform: Schemas['VersionTransform'];
}

export const sourceAbout: Record<Source, string> = {
  git: 'An agent reads one file from a Git repository and extracts the version.',
  http: 'An agent requests a URL and extracts the version from the response.',
  prometheus: 'An agent sends a query to a Prometheus server and reads the version from a label.',
};

/** Default parser of each source. */
export const initialParsers: Record<Source, TrackedParser> = { git: 'yq', http: 'yq', prometheus: 'regex' };

/** Returns the parser, or `null` if the version isn't read from a source. */
export function trackedParserOf({ parser_type }: Pick<TrackerValues, 'parser_type'>): TrackedParser | null {
  return parser_type === 'manual' || parser_type === 'discovered' ? null : parser_type;
}

/** Returns the request for the preview. */
export function toPreviewRequest(
  values: TrackerValues,
  source: 'http' | 'prometheus',
  parser: TrackedParser,
): Schemas['PreviewScrapeSourceRequest'] {
  const { url, query, label, series, version_transform } = values;
  const parse_expression = values.parse_expression.trim() === '' ? null : values.parse_expression;
  const both = { source, url, parser_type: parser, parse_expression, version_transform };
  return source === 'http' ? both : { ...both, query, label, series };
}

/** Returns the request fields of a tracker. Fields that the source doesn't have are reset. */
export function trackerRequestFields(values: TrackerValues) {
  const { source } = values;
  const isPrometheus = source === 'prometheus';
  return {
    source,
    repository_url: source === 'git' ? values.repository_url : null,
    ref: source !== 'git' ? null : values.ref.trim() === '' ? 'HEAD' : values.ref,
    target_file: source === 'git' ? values.target_file : null,
    url: source === 'git' ? null : values.url,
    query: isPrometheus ? values.query : null,
    label: isPrometheus ? values.label : null,
    series: isPrometheus ? values.series : {},
    parse_expression: isPrometheus && values.parse_expression.trim() === '' ? null : values.parse_expression,
  };
}
