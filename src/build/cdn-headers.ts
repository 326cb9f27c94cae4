/** `_headers`: the cache rules of the tree, in the form that CDNs read (contract 3). */
export const cdnHeaders = `/data/*
  Cache-Control: public, max-age=31536000, immutable
  Content-Type: application/json; charset=utf-8

/releases/*
  Cache-Control: public, max-age=31536000, immutable

/current.json
  Cache-Control: public, max-age=60
`
