import { PageHeader } from '../../ui/page-header.tsx';

export default function ReleasePage() {
  return <PageHeader title="Release" />;
}
