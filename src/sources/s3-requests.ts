import { AwsV4Signer } from 'aws4fetch';
import type { S3Credential } from './source-credential.ts';
import type { ErrorResponse, RequestedResource } from './unexpected-response.ts';

/** Headers that contain the signature of a request. A host must get them only for the request that was signed. */
export const signatureHeaderNames = [
  'authorization',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
] as const;

/**
 * Returns the headers that sign a request to S3 or a compatible service with AWS Signature Version 4. The
 * secret key isn't sent.
 *
 * @param now Clock of the process. Services reject a signature whose time differs by more than 15 minutes.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export async function signatureHeaders(
  credential: S3Credential,
  { target, method, now }: { target: URL; method: string; now: Date },
): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = credential;
  const signer = new AwsV4Signer({
    url: target.href,
    method,
    accessKeyId,
    secretAccessKey,
    service: 's3',
    datetime: now.toISOString().replaceAll(/[:-]|\.\d{3}/gu, ''),
    ...(sessionToken !== null && { sessionToken }),
    // Without a region, the signer reads it from the host, such as s3.eu-central-1.amazonaws.com.
    ...(region !== null && { region }),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(
    signatureHeaderNames.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * Returns the reason for which S3 or a compatible service rejected a request, or null if the response doesn't
 * contain it. The reason repeats nothing from the response except a valid region.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList
 */
export function explainS3Rejection(
  { headers, text }: ErrorResponse,
  { host, what, credential }: RequestedResource,
): { code: 'unauthorized' | 'not_found'; message: string } | null {
  const [, code = ''] = /<Error>.{0,200}?<Code>([A-Za-z]{1,60})<\/Code>/su.exec(text) ?? [];
  const reject = (message: string) => ({ code: 'unauthorized' as const, message });
  const named = credential && `credential "${credential.name}"`;
  switch (code) {
    case 'AccessDenied':
    case 'AuthenticationRequired':
      return reject(
        named === null
          ? `${host} requires a credential to read ${what}, or the bucket doesn't contain it. Check the URL; for a private bucket, add an s3 credential to the job.`
          : `${host} denies ${named} access to ${what}, or the bucket doesn't contain it. Check the URL and the permissions.`,
      );
    case 'NoSuchBucket':
      return { code: 'not_found', message: `${host} has no such bucket. Check the URL.` };
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException': {
      const region = readRegion(headers['x-amz-bucket-region'], text);
      return reject(
        region === null
          ? `The bucket is in another region. Use the URL of the bucket in its region${named === null ? '' : `, or set region in ${named}`}.`
          : `The bucket is in the region ${region}. Use its URL there, such as https://BUCKET.s3.${region}.amazonaws.com${named === null ? '' : `, or set region to ${region} in ${named}`}.`,
      );
    }
    default:
  }
  if (named === null) return null;
  switch (code) {
    case 'InvalidAccessKeyId':
      return reject(`${host} doesn't know the access key of ${named}. Check its access_key_id.`);
    case 'SignatureDoesNotMatch':
      return reject(`${host} rejected the signature of ${named}. Check its secret_access_key and region.`);
    case 'ExpiredToken':
    case 'InvalidToken':
    case 'TokenRefreshRequired':
      return reject(`${host} rejected the session_token of ${named}. It's invalid or has expired.`);
    case 'RequestTimeTooSkewed':
      return reject(`The agent's clock differs from that of ${host} by more than 15 minutes. Set the clock.`);
    default:
      return null;
  }
}

function readRegion(header: string | undefined, text: string): string | null {
  const region = header ?? /<Region>([a-z0-9-]{1,40})<\/Region>/u.exec(text)?.[1] ?? '';
  return /^[a-z]{2}(?:-[a-z]{1,12}){1,3}-\d{1,2}$/u.test(region) ? region : null;
}
