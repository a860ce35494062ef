import { PageHeader } from '../../ui/page-header.tsx';

export default function AlertPage() {
  return <PageHeader title="Alert" />;
}
