import { readFileSync } from 'node:fs';
import type { InterfaceName } from './contract.ts';

type Json = Record<string, unknown>;

/**
 * Returns the contract of one interface in the form that generators of clients require. It's a single file,
 * because many generators can't follow references to other files. A default next to a reference, or a default
 * that isn't a string, a number, or a boolean, becomes a sentence in the description. Generators would turn
 * such a default into code that doesn't compile, and the server fills in defaults anyway.
 */
export function generatorDocument(interfaceName: InterfaceName): string {
  const file = new URL(`../../generated/openapi-${interfaceName}.json`, import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json & { components: { schemas?: Json } };
  for (const schema of Object.values(document.components.schemas ?? {})) describeDefaults(schema as Json);
  return JSON.stringify(document);
}

function describeDefaults(schema: Json): void {
  const { default: defaultValue, description } = schema;
  if (defaultValue !== undefined && ('$ref' in schema || typeof defaultValue === 'object')) {
    delete schema['default'];
    const sentence = `Default: ${JSON.stringify(defaultValue)}.`;
    schema['description'] = typeof description === 'string' ? `${description} ${sentence}` : sentence;
  }
  for (const [keyword, part] of Object.entries(schema)) {
    if (typeof part !== 'object' || part === null || /^(?:default|const|enum|examples?)$/.test(keyword))
      continue;
    // The keys of these objects are names of fields, and one of them could be `default`.
    const isByName = /^(?:properties|patternProperties|dependentSchemas|\$defs)$/.test(keyword);
    for (const each of isByName || Array.isArray(part) ? Object.values(part) : [part])
      if (typeof each === 'object' && each !== null) describeDefaults(each as Json);
  }
}
