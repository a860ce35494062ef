import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { limitProblem } from '../text/limit-problem.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { Item } from './json-item.ts';

/** A problem in a document and its location, such as `/rules/0/name`. */
export interface DocumentProblem {
  path: string;
  message: string;
}

/** Returns a function that validates a document against the schema of configuration files and reports all problems. */
export function createDocumentCheck(schema: Readonly<Item>): (document: unknown) => DocumentProblem[] {
  let validate: ValidateFunction | undefined;
  return (document) => {
    // Verbose output includes the known names, for suggestions.
    validate ??= new Ajv2020({
      ...{ allErrors: true, verbose: true, strict: false, validateFormats: false },
    }).compile(schema);
    if (validate(document)) return [];
    const errors = validate.errors ?? [];
    // If none of several forms matches, report only that: the errors of each form are less helpful.
    const choices = new Set(
      errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath),
    );
    return errors
      .filter(({ keyword, instancePath }) => keyword === 'anyOf' || !choices.has(instancePath))
      .map((error) => ({ path: error.instancePath, message: problemText(error) }));
  };
}

function problemText({ keyword, message, params, parentSchema, instancePath }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const near = nearestName(unknown, Object.keys((parentSchema?.['properties'] as Item) ?? {}));
      return `unknown field "${unknown}"${near ? `; did you mean ${near}?` : ''}`;
    }
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'type':
      return params['type'] === 'string' || String(params['type']).includes('string')
        ? 'must be a string; add quotes'
        : `${message ?? 'is invalid'}`;
    case 'required':
      return `is missing ${String(params['missingProperty'])}`;
    case 'anyOf':
      return /^\/gather_jobs\/\d+$/.test(instancePath)
        ? 'must have source_type and artifact_name, or fed_by'
        : 'must be a name, or {name, key}';
    default:
      return (
        limitProblem(keyword, params['limit']) ?? (message ?? 'is invalid').replace('must NOT', 'must not')
      );
  }
}
