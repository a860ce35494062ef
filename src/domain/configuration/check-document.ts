import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { limitProblem } from '../text/limit-problem.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { Item } from './json-item.ts';

/** What is wrong with a document, and where: `/rules/0/name`. */
export interface DocumentProblem {
  path: string;
  message: string;
}

/** Returns what finds everything that is wrong with a document by the schema of configuration files. */
export function createDocumentCheck(schema: Readonly<Item>): (document: unknown) => DocumentProblem[] {
  let validate: ValidateFunction | undefined;
  return (document) => {
    // Verbose for the names that a misspelt one may have meant.
    validate ??= new Ajv2020({
      ...{ allErrors: true, verbose: true, strict: false, validateFormats: false },
    }).compile(schema);
    if (validate(document)) return [];
    const errors = validate.errors ?? [];
    // Of several ways to write a thing, the errors within each say less than that none fits.
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
