import pg from 'pg';

const { builtins } = pg.types;
/** Array types have no names in the driver. */
const int8Array = 1016;
const numericArray = 1231;

/**
 * How values of the database become values of ours. int8 and numeric are numbers: our ids and counts stay far below
 * 2^53, and sums of them are numeric. A date without a time stays `YYYY-MM-DD`. The rest is the driver's own:
 * timestamptz is a `Date`, json and jsonb are parsed.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text],
  [int8Array, numbers],
  [numericArray, numbers],
]);

export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** `{1,2,NULL}`. Ours have one dimension. */
function numbers(text: string): (number | null)[] {
  const items = text.slice(1, -1);
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : Number(item)));
}
