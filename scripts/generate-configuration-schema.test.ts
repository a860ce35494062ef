import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationSchema } from './generate-configuration-schema.ts';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));

test('the schema of configuration files matches the contract (otherwise run npm run generate -- contract)', () => {
  const { components } = read('src/generated/openapi-client.json');
  const schema = configurationSchema(components.schemas);
  expect(read('src/generated/configuration-schema.json')).toEqual(schema);
  expect(read('spec/pacekeeper.schema.json')).toEqual(schema);
});
