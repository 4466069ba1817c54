import StaffNotFound from "./(staff)/not-found";

export default function NotFound() {
  return (
    <main>
      <StaffNotFound />
    </main>
  );
}
