import { type HttpErrorCode, httpErrorCodes } from '../../src/platform/http-error-codes.ts';
import {
  type ContractOperation,
  contractOperations,
  type Json,
  strictResponseValidator,
} from './contract-operations.ts';
import type { RawResponse } from './send-request.ts';

/** Returns how a response violates the contract of its operation, or `null` if it doesn't. */
export function findResponseViolation(operation: ContractOperation, answer: RawResponse): string | null {
  const response = operation.responses.get(answer.status);
  if (!response) return `the status ${answer.status} is not listed: ${answer.text.slice(0, 500)}`;
  const headerFault = faultOfHeaders(answer);
  if (headerFault !== null) return headerFault;
  for (const name of response.requiredHeaders) {
    if (answer.headers[name] === undefined) return `the header ${name} is missing`;
  }
  const contentType = answer.headers['content-type'];
  if (response.contentType === null) {
    return answer.text === '' && contentType === undefined ? null : 'there is a body where none is described';
  }
  if (!contentType?.toString().startsWith(response.contentType))
    return `the content type is ${String(contentType)}`;
  if (!response.schema) return null;
  const body = parseJson(answer.text);
  if (body === undefined) return 'the body is not JSON';
  const validate = strictResponseValidator(operation.side, response.schema);
  if (!validate(body)) {
    const errors = (validate.errors ?? [])
      .slice(0, 5)
      .map((error) => `${error.instancePath} ${error.message ?? ''}`);
    return `the body is not as described: ${errors.join('; ')}: ${answer.text.slice(0, 500)}`;
  }
  return answer.status >= 400 ? faultOfError(answer) : null;
}

/**
 * Returns how an error response outside all operations violates the contract, or `null` if it doesn't.
 * Examples are a wrong method, an unknown path, and an unreadable request.
 */
export function findErrorResponseViolation(answer: RawResponse): string | null {
  const [described] = contractOperations;
  const schema = described?.responses.get(500)?.schema;
  const body = parseJson(answer.text);
  if (!schema || !strictResponseValidator(described.side, schema)(body))
    return `the body is no error: ${answer.text.slice(0, 500)}`;
  if (answer.headers['cache-control'] !== 'no-store') return 'it may be cached';
  if (answer.headers['x-content-type-options'] !== 'nosniff') return 'its type may be guessed';
  if (answer.status === 405 && answer.headers['allow'] === undefined) return 'the header allow is missing';
  return faultOfError(answer);
}

/** Checks the headers that every response of an interface requires. */
function faultOfHeaders({ headers }: RawResponse): string | null {
  const expected: Record<string, RegExp> = {
    'x-request-id': /^[\x21-\x7e]{1,128}$/,
    'cache-control': /^no-store$/,
    'x-content-type-options': /^nosniff$/,
    'referrer-policy': /^no-referrer$/,
    'content-security-policy': /default-src 'none'/,
  };
  for (const [name, pattern] of Object.entries(expected)) {
    const value = headers[name];
    if (typeof value !== 'string' || !pattern.test(value)) return `the header ${name} is ${String(value)}`;
  }
  if (headers['access-control-allow-origin'] !== undefined) return 'other origins may read it';
  return null;
}

/**
 * Stack traces, SQL statements, and messages of the database. The name of the database alone isn't included,
 * because artifacts such as `amazon-rds-postgresql` contain it.
 */
const internals =
  /\bat .*\.[jt]s:\d+|postgres(?:ql)?:\/\/|\bsqlstate\b|syntax error at|violates .*constraint|duplicate key value|(?:relation|column) \\?".*\\?" |kysely|select .* from |\binsert into |\bupdate \w+ set |\bdelete from |node_modules/i;

/**
 * Checks that the status line, headers, and body of an error agree, and that the body exposes no internals.
 */
function faultOfError({ status, headers, text }: RawResponse): string | null {
  const body = parseJson(text) as Json;
  if (body['status'] !== status)
    return `the body says ${String(body['status'])} and the status line ${status}`;
  const id = headers['x-request-id'];
  if (id !== undefined && body['request_id'] !== id) return 'the body has another request id than the header';
  const code = String(body['code']);
  const [codeStatus] = httpErrorCodes[code as HttpErrorCode];
  if (codeStatus !== status) return `the code ${code} belongs to the status ${codeStatus}`;
  if ('errors' in body && code !== 'validation_failed') return `the code ${code} has no errors of fields`;
  return internals.test(text) ? `it exposes internals: ${text}` : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
