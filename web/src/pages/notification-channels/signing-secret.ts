/** A new secret as Standard Webhooks writes it: 32 random bytes. It is made here, and seen by nobody else until it is sent. */
export function generateSigningSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const bytes = random(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
