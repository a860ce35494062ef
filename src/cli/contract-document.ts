import { readFileSync } from 'node:fs';
import type { ApiOperationId } from '../client/api-client.ts';
import { ownValue } from '../domain/json/own-value.ts';
import { isItem } from './call-operation.ts';

export type Schema = Record<string, unknown>;

interface ContractDocument {
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Schema> };
  paths: Record<string, Record<string, unknown>>;
}

let document: ContractDocument | undefined;

function contract(): ContractDocument {
  document ??= JSON.parse(
    readFileSync(new URL('../generated/openapi-client.json', import.meta.url), 'utf8'),
  ) as ContractDocument;
  return document;
}

export function schemaOf(name: string): Schema {
  return ownValue(contract().components.schemas, name) ?? {};
}

export function resolvedSchema(schema: Schema): Schema {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? schemaOf(ref.split('/').at(-1)!) : schema;
}

/**
 * Returns the values by which a list can be sorted, such as `name` and `-name`. Empty if the list has a fixed
 * order.
 */
export function sortFieldsOf(list: ApiOperationId): string[] {
  for (const methods of Object.values(contract().paths)) {
    const operation = methods['get'];
    if (!isItem(operation) || operation['operationId'] !== list) continue;
    const parameters = (operation['parameters'] ?? []) as Schema[];
    const sort = parameters.map(resolvedParameter).find(({ name }) => name === 'sort');
    const values = isItem(sort?.['schema']) ? resolvedSchema(sort['schema'])['enum'] : [];
    return Array.isArray(values) ? values.map(String) : [];
  }
  return [];
}

/** Returns the sort fields without the reversed orders. */
export function sortNamesOf(list: ApiOperationId): string[] {
  return sortFieldsOf(list).filter((field) => !field.startsWith('-'));
}

function resolvedParameter(parameter: Schema): Schema {
  const ref = parameter['$ref'];
  if (typeof ref !== 'string') return parameter;
  return contract().components.parameters?.[ref.split('/').at(-1)!] ?? {};
}
