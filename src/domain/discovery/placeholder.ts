/**
 * What people write where each installation has its own registry or name: `REGISTRY/app`, `<registry>/app`,
 * `your-registry.example.com/app`. The first can't be a real name, because names of images are lowercase, and the domains are
 * reserved for documentation (RFC 2606).
 */
export function isPlaceholder(image: string): boolean {
  const [host = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && /[.:]/.test(host);
  return (isHost && placeholderHosts.test(host)) || (isHost ? rest : [host, ...rest]).some(isWord);
}

const placeholderHosts = /^your[-_.]|(?:^|\.)(?:example\.(?:com|net|org)|example|invalid)(?::\d+)?$/i;

function isWord(segment: string): boolean {
  return /^[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)*$/.test(segment) && segment.length > 1;
}
