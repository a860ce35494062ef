import type { Section } from '../../domain/configuration/kinds.ts';
import schema from '../../generated/configuration-schema.json' with { type: 'json' };
import type { Item } from '../call-operation.ts';

/** The JSON Schema of a whole file. */
export const configurationSchema: Readonly<Record<string, unknown>> = schema;

/** The members of an entry in the file, in the order in which they are written, with their schemas. */
export function fieldsOf(section: Section): [string, Item][] {
  return Object.entries(schema.properties[section].items.properties);
}
