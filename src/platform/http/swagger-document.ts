import { readFileSync } from 'node:fs';
import type { InterfaceName } from './contract.ts';

type Json = Record<string, unknown>;

interface Parameter extends Json {
  in: string;
  required?: boolean;
  description?: string;
  schema?: Json;
}

interface Document extends Json {
  servers: { url: string }[];
  paths: Record<string, Record<string, { parameters?: Parameter[] } | Parameter[]>>;
  components: { parameters?: Record<string, Parameter> } & Json;
}

/**
 * Returns the contract of one interface in the form that Swagger UI requires. It's a single file, because the
 * page doesn't follow all references to other files. It lists only this server, and optional parameters have
 * no defaults or examples, because the page would fill them in and send them.
 *
 * @param basePath Path of the base URL. The page sends requests below it.
 */
export function swaggerDocument(interfaceName: InterfaceName, basePath: string): string {
  const file = new URL(`../../generated/openapi-${interfaceName}.json`, import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  document.servers = document.servers
    .filter(({ url }) => url.startsWith('/'))
    .map((server) => ({ ...server, url: basePath + server.url }));
  const inOperations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((part) => (Array.isArray(part) ? part : (part.parameters ?? []))),
  );
  const shared = Object.values(document.components.parameters ?? {});
  for (const parameter of [...inOperations, ...shared]) clearPrefilled(parameter);
  return JSON.stringify(document);
}

function clearPrefilled(parameter: Parameter): void {
  if (parameter.in !== 'query' || parameter.required || !parameter.schema) return;
  const { default: defaultValue, ...schema } = parameter.schema;
  delete schema['example'];
  delete schema['examples'];
  delete parameter['example'];
  delete parameter['examples'];
  parameter.schema = schema;
  if (defaultValue === undefined) return;
  const sentence = `Default: ${JSON.stringify(defaultValue)}.`;
  parameter.description = parameter.description ? `${parameter.description} ${sentence}` : sentence;
}
