import {
  type SourceTypeId,
  sourceTypeIds,
  sourceTypes,
} from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type SourceOptions = Schemas['GatherSourceOptions'];

/** Form values for the options of all source types. An empty string means not set. */
export type SourceOptionValues = Record<keyof SourceOptions, string>;

export function sourceOptionValues(stored: SourceOptions | undefined): SourceOptionValues {
  const names = sourceTypeIds.flatMap((id) => sourceTypes[id].options.map(({ name }) => name));
  return Object.fromEntries(names.map((name) => [name, stored?.[name] ?? ''])) as SourceOptionValues;
}

/** Returns the options to send: the nonempty ones that the source type supports. */
export function toSourceOptions(sourceType: SourceTypeId, values: SourceOptionValues): SourceOptions {
  return Object.fromEntries(
    sourceTypes[sourceType].options
      .map(({ name }) => [name, values[name]])
      .filter(([, value]) => value !== ''),
  );
}
