import { parsers } from '../../../domain/parsers/parsers.ts';
import {
  checkRef,
  checkTargetFile,
  parseRepositoryUrl,
} from '../../../domain/repositories/repository-url.ts';
import { parseCron } from '../../../domain/scheduling/cron-expression.ts';
import { isTimeZone } from '../../../domain/scheduling/time-zone.ts';
import { ApiError, type FieldError } from '../../../platform/errors.ts';
import type { ScrapeJobValues } from './scrape-job-queries.ts';

/** What only jobs that read a file have. */
const fileFields = [
  'repository_url',
  'ref',
  'target_file',
  'parse_expression',
  'credential_name',
  'cron_expression',
] as const;

/**
 * A job as it may be stored: addresses normalised, what a manual job has no use for refused. Throws 400 with every
 * field that is wrong.
 */
export function checkScrapeJob(values: ScrapeJobValues): ScrapeJobValues {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ field, message });
  const checked = { ...values };

  if (!isTimeZone(values.cron_timezone))
    refuse('cron_timezone', 'must be a time zone name, such as Europe/Berlin');
  if (values.parser_type === 'manual') {
    for (const field of fileFields)
      if (values[field] !== null) refuse(field, "isn't allowed for manual jobs");
  } else {
    for (const field of ['repository_url', 'target_file', 'parse_expression'] as const) {
      if (values[field] === null) refuse(field, `is required for parser_type ${values.parser_type}`);
    }
    checked.ref = values.ref ?? 'HEAD';
    const refProblem = checkRef(checked.ref);
    if (refProblem) refuse('ref', refProblem);
    if (values.repository_url !== null) {
      const repository = parseRepositoryUrl(values.repository_url);
      if (repository.ok) checked.repository_url = repository.url;
      else refuse('repository_url', repository.message);
    }
    if (values.target_file !== null) {
      const problem = checkTargetFile(values.target_file);
      if (problem) refuse('target_file', problem);
    }
    if (values.parse_expression !== null) {
      const check = parsers[values.parser_type].checkExpression(values.parse_expression);
      if (!check.ok) refuse('parse_expression', check.message);
    }
    if (values.cron_expression !== null) {
      const cron = parseCron(values.cron_expression);
      if (!cron.ok) refuse('cron_expression', cron.message);
    }
  }
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', `${first.field} ${first.message}`, { errors });
  return checked;
}

/**
 * Whether a run would read something else after the change. The transform is none of it: it applies to what was read,
 * whenever that was.
 */
export function hasDifferentSource(before: ScrapeJobValues, after: ScrapeJobValues): boolean {
  return (
    ['parser_type', 'repository_url', 'ref', 'target_file', 'parse_expression', 'credential_name'] as const
  ).some((field) => before[field] !== after[field]);
}
