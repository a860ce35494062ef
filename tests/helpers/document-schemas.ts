import { readFileSync } from 'node:fs';
import { Version } from '@cyclonedx/cyclonedx-library/Spec';
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// `iri` is a format that the package lacks. Every URI is an IRI.
ajv.addFormat('iri', { validate: (text: string) => URL.canParse(text) });
const schema = new URL('../fixtures/openvex/openvex.json', import.meta.url);
const validateVex = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object);

/** Checks a document with the JSON schema of OpenVEX, and returns the errors. */
export function vexErrors(document: object): unknown[] {
  return validateVex(document) ? [] : (validateVex.errors ?? []);
}

const cycloneDx = new JsonStrictValidator(Version.v1dot6);

/** Checks a document with the strict JSON schema of CycloneDX 1.6, and returns the errors. */
export async function bomErrors(document: object): Promise<unknown> {
  return cycloneDx.validate(JSON.stringify(document));
}
