/**
 * Whether an image has a placeholder for the registry or the name: `REGISTRY/app`, `<registry>/app`,
 * `your-registry.example.com/app`. Real image names are lowercase, and example domains are reserved for documentation
 * (RFC 2606).
 */
export function isPlaceholder(image: string): boolean {
  const [host = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && /[.:]/.test(host);
  return (isHost && placeholderHosts.test(host)) || (isHost ? rest : [host, ...rest]).some(isUppercase);
}

const placeholderHosts = /^your[-_.]|(?:^|\.)(?:example\.(?:com|net|org)|example|invalid)(?::\d+)?$/i;

function isUppercase(segment: string): boolean {
  return /^[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)*$/.test(segment) && segment.length > 1;
}
