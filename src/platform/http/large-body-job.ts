import { gunzipSync } from 'node:zlib';
import { ApiError, type FieldError, type HttpErrorCode, invalidField } from '../errors.ts';
import { checkBody, countBodyValues } from './check-body.ts';
import { type ContractOperation, type InterfaceName, readContract } from './contract.ts';
import { JsonText } from './json-text.ts';
import type { OperationId } from './operation.ts';
import { tooLarge } from './read-body-bytes.ts';

/** Input of a sandbox job: the body of one request. */
export interface LargeBody {
  interfaceName: InterfaceName;
  operationId: OperationId;
  bytes: Uint8Array;
  isPacked: boolean;
  /** Path parameters. */
  path: Readonly<Record<string, unknown>>;
}

export type CheckedLargeBody =
  | { ok: true; json: string; textFields: Record<string, JsonText> }
  | { ok: false; code: HttpErrorCode; detail: string; errors: FieldError[] | undefined };

export function checkLargeBody({
  interfaceName,
  operationId,
  bytes,
  isPacked,
  path,
}: LargeBody): CheckedLargeBody {
  try {
    const operation = findOperation(interfaceName, operationId);
    const json = isPacked ? unpack(bytes, operation.bodyLimits.bytes) : bytes;
    const body = checkBody(operation, json, countBodyValues(operation, json), path) as Record<
      string,
      unknown
    >;
    const texts = operation.textFields.flatMap((field) => {
      const text = body[field];
      if (!(text instanceof JsonText)) return [];
      delete body[field];
      return [[field, text] as const];
    });
    return { ok: true, json: JSON.stringify(body), textFields: Object.fromEntries(texts) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, options } = error;
    return { ok: false, code, detail: message, errors: options.errors };
  }
}

function findOperation(interfaceName: InterfaceName, operationId: OperationId): ContractOperation {
  return readContract(interfaceName).find((operation) => operation.operationId === operationId)!;
}

function unpack(bytes: Uint8Array, maxBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw invalidField('body', 'is not gzip');
  }
}
