import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { limitProblem } from '../../domain/text/limit-problem.ts';
import { patternProblem } from '../../domain/text/pattern-problem.ts';
import { platformWordProblem } from '../../domain/versions/platform-words.ts';
import { ApiError, type FieldError } from '../../platform/errors.ts';
import { checkTemplates, type TemplateSandbox, templateFieldErrors } from './check-templates.ts';
import { categoryOfSetting, type SettingKey, settingKeys } from './setting-keys.ts';

/** A value that somebody wants a setting to have. */
export interface SettingChange {
  key: SettingKey;
  value: unknown;
  /** The member of the request that holds it, for errors. */
  field: string;
}

/**
 * Refuses (400) values that the schemas of their settings refuse, and templates that cannot be rendered. Whether a
 * channel is one of the organization is looked at when it is written.
 */
export async function checkSettings(
  sandbox: TemplateSandbox,
  organizationId: number,
  changes: readonly SettingChange[],
): Promise<void> {
  const schemaErrors = changes.flatMap(findSchemaErrors);
  if (schemaErrors.length > 0) throw settingRefused(schemaErrors);
  const templates = changes.flatMap(({ key, value, field }) => {
    const category = categoryOfSetting(key);
    return category === null ? [] : { field, source: String(value), category };
  });
  const checks = await checkTemplates(sandbox, organizationId, templates);
  const templateErrors = checks.flatMap((check, index) =>
    templateFieldErrors(templates[index]!.field, check),
  );
  if (templateErrors.length > 0) throw settingRefused(templateErrors);
}

function settingRefused(errors: FieldError[]): ApiError {
  const [first] = errors;
  return new ApiError('validation_failed', first && `${first.field}: ${first.message}`, { errors });
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true });
ajv.addVocabulary(['x-pattern-problem']);
const validators = new Map<SettingKey, ValidateFunction>();

/** What the schema of the platform words can't say. */
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
    validate = ajv.compile(settingKeys[key].schema);
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
