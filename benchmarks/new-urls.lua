-- Requests the URL with another parameter each time, so that no answer can be kept.
local count = 0

request = function()
  count = count + 1
  return wrk.format(nil, wrk.path .. "?unknown=" .. count)
end
