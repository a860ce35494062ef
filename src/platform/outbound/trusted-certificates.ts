import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Trusts these certificate authorities (PEM) in addition to the default ones, for all TLS connections that
 * this thread opens afterward.
 */
export function trustCertificates(pem: string): void {
  setDefaultCACertificates([...new Set([...getCACertificates('default'), pem])]);
}

/**
 * Returns the certificate authorities that this thread and the system trust, plus `pem`, for programs that
 * read certificates from a file.
 */
export function certificateBundle(pem: string): string {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system'), pem])]
    .map((certificate) => certificate.trimEnd())
    .join('\n')
    .concat('\n');
}
