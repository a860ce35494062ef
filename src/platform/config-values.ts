import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

// How the values of variables are written.

export function wholeNumber(min: number, max: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max));
}

export function yesOrNo() {
  return z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
}

/** Without a slash at its end, so that a path can follow. */
export function httpUrl() {
  return z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username === '';
    })
    .transform((text) => text.replace(/\/+$/, ''));
}

/** The URL of a document. Mirrors may need a query. */
export function documentUrl() {
  return z.string().refine((text) => {
    const url = URL.parse(text);
    return (
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      !text.includes('#') &&
      url.username === '' &&
      text.length <= 2_000
    );
  });
}

export function postgresUrl() {
  return z.string().refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text));
}

/** Items with commas or spaces between them. `parse` returns `undefined` for what is no item. */
export function listOf<Item>(parse: (text: string) => Item | undefined) {
  return z.string().transform((text, context): readonly Item[] => {
    const items = text.split(/[\s,]+/).filter((item) => item !== '');
    return items.flatMap((item) => {
      const parsed = parse(item);
      if (parsed !== undefined) return [parsed];
      context.addIssue({ code: 'custom', message: item });
      return [];
    });
  });
}

/** `10.0.0.0/8`; a single address becomes the range of itself. */
export function addressRange(text: string): string | undefined {
  if (ipaddr.isValidCIDR(text)) return text;
  if (text.includes('/') || !(ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)))
    return undefined;
  return `${text}/${text.includes(':') ? 128 : 32}`;
}

export function hostWithPort(text: string): string | undefined {
  return /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.test(text) ? text.toLowerCase() : undefined;
}

export function pauseSeconds(text: string): number | undefined {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= 604_800 ? seconds : undefined;
}

/** `git.lan`, `.corp.example`, or a range of addresses. */
export function hostOrRange(text: string): string | undefined {
  return addressRange(text) ?? hostSuffix(text);
}

/** A host that stands for its subdomains too, with or without a leading dot; never all hosts. */
export function hostSuffix(text: string): string | undefined {
  return /^\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(text) ? text.toLowerCase() : undefined;
}

export function proxyUrl() {
  return z.string().refine((text) => {
    const url = URL.parse(text);
    const isProxy = url !== null && /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname);
    return isProxy && url.search === '' && url.hash === '' && isDecodable(url.username + url.password);
  });
}

/** Reads the file, in which there is at least one certificate, and nothing that only looks like one. */
export function certificatesFile() {
  return z.string().transform((path, context): string => {
    try {
      const certificates =
        readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
      for (const certificate of certificates) new X509Certificate(certificate);
      if (certificates.length > 0) return `${certificates.join('\n')}\n`;
    } catch {
      // Said below, as for a file without any.
    }
    context.addIssue({ code: 'custom', message: path });
    return z.NEVER;
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
