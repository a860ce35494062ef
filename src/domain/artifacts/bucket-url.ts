/**
 * Converts the URL of a path in a bucket (`s3://BUCKET/path`, `gs://BUCKET/path`) to an HTTPS URL. Returns
 * other text unchanged. An `s3:` URL contains no endpoint, so the bucket is assumed to be on Amazon S3.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 * @see https://cloud.google.com/storage/docs/request-endpoints
 */
export function resolveBucketUrl(text: string): string {
  const [, scheme = '', bucket = '', path = ''] =
    /^(s3|gs):\/\/([\w.-]{3,222})(?:\/+(.*))?$/isu.exec(text.trim()) ?? [];
  if (scheme === '') return text;
  const after = path === '' ? '' : `/${path}`;
  if (scheme.toLowerCase() === 'gs') return `https://storage.googleapis.com/${bucket}${after}`;
  // The bucket becomes part of the host name if it's a valid label, and part of the path otherwise. The
  // wildcard certificate of S3 covers only one label, and host names contain no underscores or capital
  // letters.
  return /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/u.test(bucket)
    ? `https://${bucket}.s3.amazonaws.com${after}`
    : `https://s3.amazonaws.com/${bucket}${after}`;
}

/** True if a URL refers to a bucket of an S3 service without the address of that service. */
export function isS3Url(text: string): boolean {
  return /^s3:\/\//iu.test(text.trim());
}
