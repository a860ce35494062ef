import { isDeepStrictEqual } from 'node:util';
import { checkRef, checkTargetFile, parseRepositoryUrl } from '../../../domain/artifacts/repository-url.ts';
import { parsers } from '../../../domain/parsers/parsers.ts';
import { normalizePrometheusUrl, normalizeScrapeUrl } from '../../../domain/prometheus/prometheus-address.ts';
import { parseCron } from '../../../domain/scheduling/cron-expression.ts';
import { isTimeZone } from '../../../domain/scheduling/time-zone.ts';
import { ApiError, type FieldError, invalidField } from '../../../platform/errors.ts';
import type { ScrapeJobRow, ScrapeJobValues } from './scrape-job-queries.ts';

type Source = ScrapeJobValues['source'];
type Field = keyof ScrapeJobValues;

/** Fields that only jobs with runs can have. */
const runFields = ['parse_expression', 'credential_name', 'cron_expression'] as const satisfies Field[];

/** Fields that are specific to each source. */
const sourceFields = {
  git: ['repository_url', 'ref', 'target_file'],
  http: ['url'],
  prometheus: ['url', 'query', 'label', 'series'],
} as const satisfies Record<Source, readonly Field[]>;

const requiredFields = {
  git: ['repository_url', 'target_file', 'parse_expression'],
  http: ['url', 'parse_expression'],
  prometheus: ['url', 'query', 'label'],
} as const satisfies Record<Source, readonly Field[]>;

type Reject = (field: string, message: string) => void;

/**
 * Validates the values of a job, normalizes its URLs, and rejects fields that its source doesn't use. Throws
 * 400 with every invalid field.
 */
export function checkScrapeJob(values: ScrapeJobValues): ScrapeJobValues {
  const errors: FieldError[] = [];
  const reject: Reject = (field, message) => errors.push({ field, message });

  if (!isTimeZone(values.cron_timezone))
    reject('cron_timezone', 'must be a time zone name, such as Europe/Berlin');
  const checked =
    values.parser_type === 'manual'
      ? checkManual(values, reject)
      : checkSource(values, values.parser_type, reject);
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', `${first.field} ${first.message}`, { errors });
  return checked;
}

function checkManual(values: ScrapeJobValues, reject: Reject): ScrapeJobValues {
  if (values.source !== 'git') reject('source', "isn't allowed for manual jobs");
  for (const field of new Set([...Object.values(sourceFields).flat(), ...runFields]))
    if (isGiven(values[field])) reject(field, "isn't allowed for manual jobs");
  return values;
}

function checkSource(
  values: ScrapeJobValues,
  parserType: Exclude<ScrapeJobValues['parser_type'], 'manual'>,
  reject: Reject,
): ScrapeJobValues {
  const { source } = values;
  const checked = { ...values };
  const own: readonly Field[] = sourceFields[source];
  for (const field of new Set(Object.values(sourceFields).flat()))
    if (!own.includes(field) && isGiven(values[field])) reject(field, `isn't allowed for source ${source}`);
  for (const field of requiredFields[source]) {
    if (values[field] !== null) continue;
    reject(
      field,
      source === 'git' ? `is required for parser_type ${parserType}` : `is required for source ${source}`,
    );
  }
  if (source === 'git') {
    checked.ref = values.ref ?? 'HEAD';
    const refProblem = checkRef(checked.ref);
    if (refProblem) reject('ref', refProblem);
    if (values.repository_url !== null) {
      const repository = parseRepositoryUrl(values.repository_url);
      if (repository.ok) checked.repository_url = repository.url;
      else reject('repository_url', repository.message);
    }
    const fileProblem = values.target_file === null ? null : checkTargetFile(values.target_file);
    if (fileProblem) reject('target_file', fileProblem);
  } else if (values.url !== null) {
    const address = source === 'http' ? normalizeScrapeUrl(values.url) : normalizePrometheusUrl(values.url);
    if (address.ok) checked.url = address.url;
    else reject('url', `can't be used: ${address.message}`);
  }
  if (source === 'prometheus' && parserType !== 'regex')
    reject('parser_type', 'must be regex for source prometheus: a label is text');
  if (values.parse_expression !== null) {
    const check = parsers[parserType].checkExpression(values.parse_expression);
    if (!check.ok) reject('parse_expression', check.message);
  }
  const cron = values.cron_expression === null ? null : parseCron(values.cron_expression);
  if (cron?.ok === false) reject('cron_expression', cron.message);
  return checked;
}

function isGiven(value: ScrapeJobValues[Field]): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== null;
}

/** Fields that users can change in a job that a discovery job feeds. */
const ownFields = ['name', 'history_limit', 'is_active', 'labels'] as const;

/**
 * Returns the editable fields of a job that a discovery job feeds. Throws 400 if a field that the discovery
 * job sets was changed.
 */
export function checkManagedScrapeJob<Values extends Pick<ScrapeJobRow, keyof ScrapeJobValues>>(
  before: Values,
  after: Pick<Values, keyof ScrapeJobValues>,
): Pick<ScrapeJobValues, (typeof ownFields)[number]> {
  const fields = Object.keys(after) as (keyof ScrapeJobValues)[];
  const foreign = fields.find(
    (field) =>
      !(ownFields as readonly string[]).includes(field) && !isDeepStrictEqual(after[field], before[field]),
  );
  if (foreign !== undefined) throw invalidField(foreign, "can't be changed because a discovery job sets it");
  const { name, history_limit, is_active, labels } = after;
  return { name, history_limit, is_active, labels };
}

/**
 * True if a run would read from another source after the change. Ignores the transform, because a new
 * transform is applied to the raw version that was already read.
 */
export function hasDifferentSource(before: ScrapeJobRow, after: ScrapeJobRow): boolean {
  const fields = [
    'parser_type',
    'source',
    ...Object.values(sourceFields).flat(),
    'parse_expression',
    'credential_name',
  ] as const;
  return fields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}
