import { expect, test } from 'vitest';
import { toFormBody } from './form-body.ts';

test.each([
  ['{"to": "ops", "content": "1 & 2 = ü"}', 'to=ops&content=1+%26+2+%3D+%C3%BC'],
  [
    '{"a": 1, "b": true, "c": null, "d": ["x"], "e": {"f": 2}}',
    'a=1&b=true&d=%5B%22x%22%5D&e=%7B%22f%22%3A2%7D',
  ],
  ['{"text": "a\\r\\nb"}', 'text=a%0D%0Ab'],
  ['{}', ''],
  ['Body=hello&To=%2B49', 'Body=hello&To=%2B49'],
  ['Body=hello\n', 'Body=hello'],
  ['["a"]', '["a"]'],
])('the message %s becomes the form body %s', (message, body) => expect(toFormBody(message)).toBe(body));
