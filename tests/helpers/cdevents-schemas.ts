import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const folder = new URL('../fixtures/cdevents/', import.meta.url);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

function readSchemas(path: string): Map<string, object> {
  const files = readdirSync(new URL(path, folder)).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(new URL(`${path}${file}`, folder), 'utf8')) as object,
    ]),
  );
}

for (const schema of readSchemas('./links/').values()) ajv.addSchema(schema);
const validators = new Map([...readSchemas('./')].map(([name, schema]) => [name, ajv.compile(schema)]));

/** Checks a document with the schema of CDEvents for its type, and returns the errors. */
export function cdeventErrors(document: { context: { type: string } }): unknown[] {
  const [, , subject, predicate] = document.context.type.split('.');
  const isCustom = document.context.type.startsWith('dev.cdeventsx.');
  const validate = validators.get(isCustom ? 'custom' : `${subject}${predicate}`);
  if (validate === undefined) return [`no schema for ${document.context.type}`];
  return validate(document) ? [] : (validate.errors ?? []);
}
