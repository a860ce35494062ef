import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type CustomExtractor, checkCustomExtractor } from '../../domain/discovery/custom-patterns.ts';
import { limitProblem } from '../../domain/text/limit-problem.ts';
import { patternProblem } from '../../domain/text/pattern-problem.ts';
import { platformWordProblem } from '../../domain/versions/platform-words.ts';
import { ApiError, type FieldError } from '../../platform/errors.ts';
import { TimeSlices } from '../../platform/time-slices.ts';
import { checkTemplates, type TemplateSandbox, templateFieldErrors } from './check-templates.ts';
import { categoryOfSetting, type SettingKey, settingDefinitions } from './setting-keys.ts';

/** A requested value of a setting. */
export interface SettingChange {
  key: SettingKey;
  value: unknown;
  /** Field of the request that contains the value, for error messages. */
  field: string;
}

/**
 * Rejects values that don't match the schemas of their settings, and templates that can't be rendered. Doesn't check
 * that a channel belongs to the organization, because writing the setting checks this.
 * @throws ApiError 400 with all errors.
 */
export async function checkSettings(
  sandbox: TemplateSandbox,
  organizationId: number,
  changes: readonly SettingChange[],
): Promise<void> {
  const schemaErrors = changes.flatMap(findSchemaErrors);
  if (schemaErrors.length > 0) throw invalidSettings(schemaErrors);
  for (const { key, value, field } of changes) {
    if (key !== 'discovery.custom_extractors') continue;
    const error = await findExtractorError(value as CustomExtractor[], field);
    if (error) throw invalidSettings([error]);
  }
  const templates = changes.flatMap(({ key, value, field }) => {
    const category = categoryOfSetting(key);
    return category === null ? [] : { field, source: String(value), category };
  });
  const checks = await checkTemplates(sandbox, organizationId, templates);
  const templateErrors = checks.flatMap((check, index) =>
    templateFieldErrors(templates[index]!.field, check),
  );
  if (templateErrors.length > 0) throw invalidSettings(templateErrors);
}

/** Returns the error of the first invalid pattern. Pauses between patterns, because checking each one can take 0.1 s. */
export async function findExtractorError(
  extractors: readonly CustomExtractor[],
  field: string,
): Promise<FieldError | null> {
  const slices = new TimeSlices();
  const names = new Set<string>();
  for (const [index, extractor] of extractors.entries()) {
    const problem = checkCustomExtractor(extractor);
    if (problem) return { field: `${field}.${index}.${problem.field}`, message: problem.message };
    if (names.has(extractor.name))
      return { field: `${field}.${index}.name`, message: 'must be different from the other names' };
    names.add(extractor.name);
    await slices.pause();
  }
  return null;
}

function invalidSettings(errors: FieldError[]): ApiError {
  const [first] = errors;
  return new ApiError('validation_failed', first && `${first.field}: ${first.message}`, { errors });
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true });
ajv.addVocabulary(['x-pattern-problem']);
const validators = new Map<SettingKey, ValidateFunction>();

/** Checks the constraints of platform words that the schema can't express. */
function findWordErrors({ key, value, field }: SettingChange): FieldError[] {
  if (key !== 'versions.platform_words' || !Array.isArray(value)) return [];
  return value.flatMap((word: unknown, index) => {
    const message = typeof word === 'string' ? platformWordProblem(word) : null;
    return message === null ? [] : [{ field: `${field}.${index}`, message }];
  });
}

function findSchemaErrors(change: SettingChange): FieldError[] {
  const { key, value, field } = change;
  let validate = validators.get(key);
  if (!validate) {
    validate = ajv.compile(settingDefinitions[key].schema);
    validators.set(key, validate);
  }
  if (validate(value)) return findWordErrors(change);
  return (validate.errors ?? []).map((error) => ({
    field: `${field}${error.instancePath.replaceAll('/', '.')}`,
    message:
      limitProblem(error.keyword, (error.params as Record<string, unknown>)['limit']) ??
      patternProblem(error) ??
      (error.message ?? 'is invalid')
        .replace('must NOT', 'must not')
        .replaceAll(',', ' or ')
        .replace('be integer', 'be a whole number'),
  }));
}
