// Bundlers import these files as text.
declare module '*?raw' {
  const text: string
  export default text
}
declare module '*?inline' {
  const text: string
  export default text
}
